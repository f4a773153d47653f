import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';
import { plainAddress } from '@steward/rpc';
import { forwardedFor } from './forwarded-for.ts';
import { headerValue } from './header-value.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** See `TrustedProxies.clientOf`. */
    readonly clientAddress: string;
  }
}

/** The ranges that have names. */
const NAMED: Readonly<Record<string, readonly string[]>> = {
  loopback: ['127.0.0.0/8', '::1'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
};

/** Which addresses are proxies whose statements about clients are believed. */
export class TrustedProxies {
  readonly #ranges = new BlockList();

  /** @param ranges as the setting `server.trusted_proxies` has them */
  constructor(ranges: readonly string[]) {
    for (const range of ranges.flatMap((name) => NAMED[name] ?? [name])) {
      const [address = '', bits] = range.split('/');
      const isIpv4 = isIP(address) === 4;
      const prefix = bits === undefined ? (isIpv4 ? 32 : 128) : Number(bits);
      this.#ranges.addSubnet(address, prefix, isIpv4 ? 'ipv4' : 'ipv6');
    }
  }

  /** Whether a proxy has this address. */
  has(address: string | undefined): boolean {
    const plain = plainAddress(address ?? '');
    return plain !== undefined && this.#ranges.check(plain, isIP(plain) === 4 ? 'ipv4' : 'ipv6');
  }

  /**
   * The address of the client of a request: that of the connection, or the one that the proxies in between state, the nearest
   * first. An entry that is not an address identifies nobody, so the client is then the peer that sent it.
   *
   * @returns an empty text once the connection was reset
   */
  clientOf({ socket, headers }: Pick<IncomingMessage, 'socket' | 'headers'>): string {
    const peer = socket?.remoteAddress ?? '';
    let client = plainAddress(peer) ?? peer;
    const stated = forwardedFor(headers['x-forwarded-for'], headerValue(headers.forwarded));
    for (const next of stated.reverse()) {
      if (next === undefined || !this.has(client)) break;
      client = next;
    }
    return client;
  }
}
