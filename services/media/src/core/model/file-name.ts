/** The longest stored name, in characters (code points): the limit of file systems. */
const MAX_NAME_LENGTH = 255;

/** Control characters, which are invalid in names and would end headers. */
const CONTROLS = /\p{Cc}/gu;

/** A name that needs no encoding within quotes. */
const PLAIN = /^[\x20-\x7e]*$/;
const ENDS_QUOTES = /["\\%]/;

/** Characters that `encodeURIComponent` does not encode although RFC 8187 requires it. */
const NOT_ATTRIBUTE_CHARS = /['()*]/g;

/** Returns the stored name of an upload; null when it has none. */
export function keptName(stated: string | undefined): string | null {
  const name = [...(stated ?? '').toWellFormed().replaceAll(CONTROLS, '')].slice(0, MAX_NAME_LENGTH).join('');
  return name === '' ? null : name;
}

/** Returns the `Content-Disposition` of a file: whether a browser displays or saves it, and its name. */
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
