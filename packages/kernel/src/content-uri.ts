const CONTENT_URI = /^mxc:\/\/([^/?#]+)\/([^/?#]+)$/;

/** The two parts of a content URI, `mxc://<server name>/<media id>`. */
export interface ContentUri {
  readonly serverName: string;
  readonly mediaId: string;
}

/** Parses a content URI; `undefined` for anything else. */
export function parseContentUri(uri: string): ContentUri | undefined {
  const match = CONTENT_URI.exec(uri);
  const [, serverName, mediaId] = match ?? [];
  return serverName !== undefined && mediaId !== undefined ? { serverName, mediaId } : undefined;
}
