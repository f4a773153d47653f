import { isIP } from 'node:net';
import type { AddressRules } from './address-rules.ts';
import { hostOf } from './host-of.ts';
import { isPermitted } from './is-permitted.ts';

/** As long as all servers accept. */
const MAX_URL_LENGTH = 2_048;

/** Names of this machine, which name servers do not answer for (RFC 6761). */
const THIS_MACHINE = /(?:^|\.)localhost$/;

/** Operators who test on one machine read this first. */
const INSIDE =
  'must not lead to an address that is not on the Internet, unless `webhooks.allowed_addresses` permits it';

/** What the parser of URLs removes without a word. */
const REMOVED = /[\s\p{Cc}]/u;

/**
 * Why requests to a URL are refused, in words that follow "The URL", for example `must not contain a fragment`. Addresses are
 * judged in every notation. A host name is not resolved: that happens at each request.
 *
 * @returns undefined if it is not refused
 */
export function checkUrl(text: string, rules: AddressRules): string | undefined {
  const url = URL.parse(text);
  if (url === null || !['http:', 'https:'].includes(url.protocol)) return 'must be an http or https URL';
  if (Math.max(text.length, url.href.length) > MAX_URL_LENGTH)
    return `must have at most ${MAX_URL_LENGTH} characters`;
  if (REMOVED.test(text)) return 'must not contain spaces or control characters';
  if (url.username !== '' || url.password !== '') return 'must not contain a user name or password';
  if (url.href.includes('#')) return 'must not contain a fragment';
  const host = hostOf(url);
  if (rules.hosts.has(host)) return undefined;
  const inside = isIP(host) === 0 ? THIS_MACHINE.test(host) : !isPermitted(host, rules);
  return inside ? INSIDE : undefined;
}
