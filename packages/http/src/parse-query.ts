/** The values of the declared parameters of a method, still encoded, in the order of the query. */
export type Query = ReadonlyMap<string, readonly string[]>;

const STRAY_PERCENT = /%(?![0-9a-f]{2})/gi;
const RAW_BYTE = /[\x80-\xff]/g;

/**
 * Returns the parameters with the given names.
 *
 * @param raw the part of the request line after the question mark, one character per byte
 */
export function parseQuery(raw: string, names: ReadonlySet<string>): Query {
  const found = new Map<string, string[]>();
  if (raw === '' || names.size === 0) return found;
  for (const part of raw.split('&')) {
    const equals = part.indexOf('=');
    const encoded = equals < 0 ? part : part.slice(0, equals);
    const name = names.has(encoded) ? encoded : decodeText(encoded);
    if (name === undefined || !names.has(name)) continue;
    const value = equals < 0 ? '' : part.slice(equals + 1);
    const values = found.get(name);
    if (values) values.push(value);
    else found.set(name, [value]);
  }
  return found;
}

/** Decodes application/x-www-form-urlencoded text; `undefined` for bytes that are not UTF-8. */
export function decodeText(encoded: string): string | undefined {
  const spaced = encoded.includes('+') ? encoded.replaceAll('+', ' ') : encoded;
  const escaped = spaced.replace(RAW_BYTE, (byte) => `%${byte.charCodeAt(0).toString(16)}`);
  if (!escaped.includes('%')) return escaped;
  try {
    return decodeURIComponent(escaped.replace(STRAY_PERCENT, '%25'));
  } catch {
    return undefined;
  }
}
