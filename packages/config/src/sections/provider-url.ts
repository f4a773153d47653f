import { z } from 'zod';

/** The names of this machine: requests to them leave it over no wire. */
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** A URL of an identity provider. */
export const providerUrl = z
  .string()
  .max(2_048)
  .refine(
    isSafe,
    'must be an https:// URL without user name and fragment; http:// is accepted for localhost',
  );

function isSafe(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || url.username !== '' || url.password !== '' || text.includes('#')) return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && LOOPBACK.test(url.hostname));
}
