import { isMarkedSecret } from './marked-secret.ts';

/**
 * The blanks around a pair of the header (RFC 6265). `trim` would remove others too, and browsers accept a cookie from another
 * host of the domain whose name begins with such a blank and then with the prefix.
 */
const BLANKS = /^[ \t]+|[ \t]+$/g;

/**
 * The secret in the cookie of a name; `undefined` when there are several, or it has another form.
 *
 * @param header the header Cookie
 * @param prefix see `isMarkedSecret`
 */
export function secretInCookies(header: string, name: string, prefix: string): string | undefined {
  const start = `${name}=`;
  const [value, ...others] = header
    .split(';')
    .map((pair) => pair.replaceAll(BLANKS, ''))
    .filter((pair) => pair.startsWith(start))
    .map((pair) => pair.slice(start.length));
  if (value === undefined || others.length > 0) return undefined;
  return isMarkedSecret(prefix, value) ? value : undefined;
}
