/** The longest name that is kept, in characters (code points): what file systems take. */
const MAX_NAME_LENGTH = 255;

/** Control characters, which have no place in a name and end headers. */
const CONTROLS = /\p{Cc}/gu;

/** A name that can stand in quotes as it is. */
const PLAIN = /^[\x20-\x7e]*$/;
const ENDS_QUOTES = /["\\%]/;

/** What `encodeURIComponent` leaves alone and RFC 8187 does not admit. */
const NOT_ATTRIBUTE_CHARS = /['()*]/g;

/** The name that an upload is kept with; null when it has none. */
export function keptName(stated: string | undefined): string | null {
  const name = [...(stated ?? '').toWellFormed().replaceAll(CONTROLS, '')].slice(0, MAX_NAME_LENGTH).join('');
  return name === '' ? null : name;
}

/** The `Content-Disposition` of a file: whether it is shown or saved, and under which name. */
export function disposition(inline: boolean, name: string | null): string {
  const how = inline ? 'inline' : 'attachment';
  if (name === null) return how;
  if (PLAIN.test(name) && !ENDS_QUOTES.test(name)) return `${how}; filename="${name}"`;
  const encoded = encodeURIComponent(name).replaceAll(
    NOT_ATTRIBUTE_CHARS,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${how}; filename*=UTF-8''${encoded}`;
}
