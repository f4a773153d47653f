import { isIpRange } from './proxy-range.ts';

/** A host name in lower case, as URLs have it after the conversion of international names, without a final dot. */
const HOST =
  /^(?=.{1,253}$)(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)*[a-z_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;

/** Whether a text names what may be reached: an IP address, a range in CIDR notation, or a host name. */
export function isReachable(text: string): boolean {
  return isIpRange(text) || HOST.test(text);
}
