import type { Profile } from '@steward/http';

/** The original prefixes, and the documented prefixes of the same endpoints. */
const ALIASES = [
  ['/_synapse/admin', '/_service/admin'],
  ['/_matrix/client', '/_proto/client'],
  ['/_matrix/media', '/_proto/media'],
  ['/_matrix/key', '/_proto/key'],
] as const;

/**
 * The documented path of a request. An original prefix is rewritten, never redirected, because clients drop the token
 * on a redirect.
 */
export function resolvePrefix(url: string): { readonly url: string; readonly profile: Profile } {
  for (const [alias, prefix] of ALIASES) {
    if (url.startsWith(alias) && (url.length === alias.length || url[alias.length] === '/')) {
      return { url: prefix + url.slice(alias.length), profile: 'compat' };
    }
  }
  return { url, profile: 'native' };
}
