import { isIPv4, isIPv6 } from 'node:net';

/** Leaves 25 characters of a 255-byte user id to the localpart, `@` and `:`. */
const MAX_SERVER_NAME_CHARS = 230;

const PARTS = /^(?:\[(?<ipv6>[^\]]+)\]|(?<host>[^:]+))(?::(?<port>[0-9]{1,5}))?$/;
const HOST_NAME = /^[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?$/;
const LOOKS_LIKE_IPV4 = /^[0-9.]+$/;
const MAX_PORT = 65_535;

/** Whether a text is a server name: a host name, an IPv4 address or an `[IPv6]` address, with an optional port. */
export function isServerName(name: string): boolean {
  if (name.length > MAX_SERVER_NAME_CHARS) return false;
  const { ipv6, host, port } = PARTS.exec(name)?.groups ?? {};
  if (port !== undefined && Number(port) > MAX_PORT) return false;
  if (ipv6 !== undefined) return isIPv6(ipv6);
  if (host === undefined) return false;
  if (LOOKS_LIKE_IPV4.test(host)) return isIPv4(host);
  return HOST_NAME.test(host) && !host.includes('..');
}
