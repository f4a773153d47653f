/** The media type of an upload that names none. */
const UNKNOWN_TYPE = 'application/octet-stream';

/** The longest type that is kept, in characters. */
const MAX_TYPE_LENGTH = 255;

/** `type/subtype`, and perhaps parameters: nothing that would end a header. */
const MEDIA_TYPE = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?:\s*;[\x20-\x7e]*)?$/;

/** What browsers may show in place: nothing of it can run (client-plane.md 7.12). */
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

/** The type that an upload is kept with: as it was stated, where that can be sent back. */
export function keptType(stated: string | undefined): string {
  const type = stated?.trim() ?? '';
  return type.length <= MAX_TYPE_LENGTH && MEDIA_TYPE.test(type) ? type : UNKNOWN_TYPE;
}

/** The type as an answer states it: text is UTF-8 unless it says what it is. */
export function sentType(type: string): string {
  const textual = baseType(type).startsWith('text/');
  return textual && !/;\s*charset\s*=/i.test(type) ? `${type}; charset=UTF-8` : type;
}

/** Whether a browser may show bytes of this type in place. */
export function isInline(type: string): boolean {
  return INLINE_TYPES.has(baseType(type));
}

/** A type without its parameters, in lower case. */
function baseType(type: string): string {
  return (type.split(';', 1)[0] ?? '').trim().toLowerCase();
}
