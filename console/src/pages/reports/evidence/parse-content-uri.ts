const CONTENT_URI = /^mxc:\/\/([^/?#]+)\/([A-Za-z0-9_-]+)$/;

/** The server and the id of a medium in a content URI; undefined for what is none. */
export function parseContentUri(
  uri: string | null | undefined,
): { readonly serverName: string; readonly mediaId: string } | undefined {
  const [, serverName, mediaId] = CONTENT_URI.exec(uri ?? '') ?? [];
  return serverName === undefined || mediaId === undefined ? undefined : { serverName, mediaId };
}
