/** The image formats from which thumbnails are created. */
export type ImageFormat = 'png' | 'jpeg' | 'webp' | 'gif';

/** The number of bytes that identify a format. */
const SIGNATURE_BYTES = 12;

/**
 * Returns the format of an image by its first bytes, because the stated type is not reliable; `undefined` for any
 * other content, including vector graphics, which can load other files.
 */
export function imageFormat(bytes: Uint8Array): ImageFormat | undefined {
  const start = Buffer.from(bytes.subarray(0, SIGNATURE_BYTES)).toString('latin1');
  if (start.startsWith('\x89PNG\r\n\x1a\n')) return 'png';
  if (start.startsWith('\xff\xd8\xff')) return 'jpeg';
  if (start.startsWith('GIF87a') || start.startsWith('GIF89a')) return 'gif';
  return /^RIFF[\s\S]{4}WEBP/.test(start) ? 'webp' : undefined;
}
