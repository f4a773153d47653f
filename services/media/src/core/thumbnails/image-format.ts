/** The formats that thumbnails are made of. */
export type ImageFormat = 'png' | 'jpeg' | 'webp' | 'gif';

/** How many bytes a format is recognised by. */
const SIGNATURE_BYTES = 12;

/**
 * The format of an image, by its first bytes: what the uploader says of them is not to be relied on.
 * `undefined` for anything else, vector graphics among it, which can ask for other files.
 */
export function imageFormat(bytes: Uint8Array): ImageFormat | undefined {
  const start = Buffer.from(bytes.subarray(0, SIGNATURE_BYTES)).toString('latin1');
  if (start.startsWith('\x89PNG\r\n\x1a\n')) return 'png';
  if (start.startsWith('\xff\xd8\xff')) return 'jpeg';
  if (start.startsWith('GIF87a') || start.startsWith('GIF89a')) return 'gif';
  return /^RIFF[\s\S]{4}WEBP/.test(start) ? 'webp' : undefined;
}
