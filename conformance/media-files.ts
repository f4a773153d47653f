import { randomUUID } from 'node:crypto';
import { type Actor, path, type World } from '@steward/testing';

/** A file that a test uploads; absent properties are not sent. */
export interface UploadedFile {
  /** Of their own by default, because files with the same bytes are quarantined together. */
  readonly bytes?: string | Uint8Array;
  readonly name?: string;
  readonly type?: string;
}

/** Uploads a file; returns its media id. */
export async function uploadFile(user: Actor, file: UploadedFile = {}): Promise<string> {
  const { bytes = randomUUID(), name, type = 'text/plain' } = file;
  const { body, text } = await user.post<{ content_uri?: string }>('/_proto/media/v3/upload', {
    rawBody: bytes,
    headers: { 'content-type': type },
    query: name === undefined ? {} : { filename: name },
  });
  const id = body.content_uri?.split('/').at(-1);
  if (id === undefined) throw new Error(`The upload was refused: ${text}`);
  return id;
}

/** The content URI of a medium of the server. */
export function uriOf(world: World, mediaId: string): string {
  return `mxc://${world.serverName}/${mediaId}`;
}

/** The status with which a medium of the server is downloaded. */
export async function downloadStatus(world: World, user: Actor, mediaId: string): Promise<number> {
  const target = path`/_proto/client/v1/media/download/${world.serverName}/${mediaId}`;
  return (await user.get(target)).status;
}
