import { isIP } from 'node:net';

const NAMED_RANGES: readonly string[] = ['loopback', 'linklocal', 'uniquelocal'];
const RANGE = /^(?<address>[^/]+)(?:\/(?<prefix>[0-9]{1,3}))?$/;
const MAX_PREFIX_BITS: Readonly<Record<number, number>> = { 4: 32, 6: 128 };

/** Whether a text names trusted proxies: an IP address, a range in CIDR notation, or a named range. */
export function isProxyRange(range: string): boolean {
  return NAMED_RANGES.includes(range) || isIpRange(range);
}

/** Whether a text is an IP address or a range in CIDR notation. */
export function isIpRange(range: string): boolean {
  const { address = '', prefix = '0' } = RANGE.exec(range)?.groups ?? {};
  const bits = MAX_PREFIX_BITS[isIP(address)];
  return bits !== undefined && Number(prefix) <= bits;
}
