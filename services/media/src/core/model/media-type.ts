/** The default media type of an upload. */
const UNKNOWN_TYPE = 'application/octet-stream';

/** The longest stored type, in characters. */
const MAX_TYPE_LENGTH = 255;

/** `type/subtype` with optional parameters, without characters that would end a header. */
const MEDIA_TYPE = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?:\s*;[\x20-\x7e]*)?$/;

/** The types that browsers may display inline, because they cannot contain scripts (client-plane.md 7.12). */
const INLINE_TYPES: ReadonlySet<string> = new Set([
  'text/css',
  'text/plain',
  'text/csv',
  'application/json',
  'application/ld+json',
  'image/jpeg',
  'image/gif',
  'image/png',
  'image/apng',
  'image/webp',
  'image/avif',
  'video/mp4',
  'video/webm',
  'video/ogg',
  'video/quicktime',
  'audio/mp4',
  'audio/webm',
  'audio/aac',
  'audio/mpeg',
  'audio/ogg',
  'audio/wave',
  'audio/wav',
  'audio/x-wav',
  'audio/x-pn-wav',
  'audio/flac',
  'audio/x-flac',
]);

/** Returns the stored type of an upload: the stated one if it is valid in a header. */
export function keptType(stated: string | undefined): string {
  const type = stated?.trim() ?? '';
  return type.length <= MAX_TYPE_LENGTH && MEDIA_TYPE.test(type) ? type : UNKNOWN_TYPE;
}

/** Returns the type for the answer: text without a charset is UTF-8. */
export function sentType(type: string): string {
  const textual = baseType(type).startsWith('text/');
  return textual && !/;\s*charset\s*=/i.test(type) ? `${type}; charset=UTF-8` : type;
}

/** Whether a browser may display bytes of this type inline. */
export function isInline(type: string): boolean {
  return INLINE_TYPES.has(baseType(type));
}

/** Returns a type without its parameters, in lower case. */
export function baseType(type: string): string {
  return (type.split(';', 1)[0] ?? '').trim().toLowerCase();
}
