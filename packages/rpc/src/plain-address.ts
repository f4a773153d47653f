import { isIP, SocketAddress } from 'node:net';

/** The IPv6 form of an IPv4 address. */
const MAPPED = /^::ffff:(?=\d+\.)/;

/**
 * The one way to write an IP address, so that equal addresses are equal texts: IPv6 in its shortest form and without a zone,
 * IPv4 also where it came as IPv6.
 *
 * @returns undefined for a text that is not an IP address
 */
export function plainAddress(text: string): string | undefined {
  const address = text.replace(/%.*$/s, '');
  if (isIP(address) !== 6) return isIP(address) === 4 ? address : undefined;
  return new SocketAddress({ address, family: 'ipv6' }).address.replace(MAPPED, '');
}
