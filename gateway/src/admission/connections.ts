import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { networkOf } from '@steward/rpc';
import type { Refusals } from './refusals.ts';

/** The connections from one address, or one IPv6 network. */
interface Address {
  connections: number;
  /** Those that have had no request, the oldest first. */
  readonly unused: Set<Socket>;
  /** Those that wait for another request, the longest idle first. */
  readonly idle: Set<Socket>;
}

/** How many requests a client may pipeline; each but the first waits for the answers before it. */
const MAX_PIPELINED = 64;

interface Connection {
  readonly address: Address;
  /** Pipelined requests are in progress together. */
  requests: number;
}

/**
 * Bounds connections: all of them; those from one address that have had no request; and those from one address that wait
 * for another one. The one that has been idle longest gives way. So connections without a request do not displace those
 * that clients keep, nor the reverse. A connection is cut when its client neither sends a request nor reads its answers.
 */
export class Connections {
  readonly #limits: { readonly all: number; readonly idleOfAddress: number };
  readonly #refusals: Refusals;
  readonly #connections = new WeakMap<Socket, Connection>();
  readonly #addresses = new Map<string, Address>();
  #count = 0;

  /** @param server its `timeout` is how long a connection may make no progress */
  constructor(
    server: Server,
    limits: { readonly all: number; readonly idleOfAddress: number },
    refusals: Refusals,
  ) {
    this.#limits = limits;
    this.#refusals = refusals;
    server.on('connection', (socket) => this.#open(socket));
    server.on('timeout', (socket) => {
      const working = (this.#connections.get(socket)?.requests ?? 0) > 0;
      // Node restarts the timer when the client accepts more bytes.
      if (working && socket.writableLength === 0) return;
      if (working) refusals.count('stalled');
      socket.destroy();
    });
  }

  /** The open connections. */
  get count(): number {
    return this.#count;
  }

  /** Notes that a request on a connection begins. A connection with too many of them is cut. */
  begin(socket: Socket): void {
    const connection = this.#connections.get(socket);
    if (!connection) return;
    if (++connection.requests === 1) {
      connection.address.unused.delete(socket);
      connection.address.idle.delete(socket);
    }
    if (connection.requests <= MAX_PIPELINED || socket.destroyed) return;
    this.#refusals.count('pipelined');
    socket.destroy();
  }

  /** Notes that a request on a connection has ended. */
  end(socket: Socket): void {
    const connection = this.#connections.get(socket);
    if (!connection || --connection.requests > 0 || socket.destroyed) return;
    const { idle } = connection.address;
    if (idle.size >= this.#limits.idleOfAddress) this.#closeOldest(idle);
    idle.add(socket);
  }

  #open(socket: Socket): void {
    if (this.#count >= this.#limits.all && !this.#closeOneOf(this.#largest())) {
      this.#refusals.count('connections');
      socket.destroy();
      return;
    }
    const name = networkOf(socket.remoteAddress ?? '');
    const address = this.#addresses.get(name) ?? { connections: 0, unused: new Set(), idle: new Set() };
    if (address.unused.size >= this.#limits.idleOfAddress) this.#closeOldest(address.unused);
    this.#addresses.set(name, address);
    address.connections++;
    address.unused.add(socket);
    this.#count++;
    this.#connections.set(socket, { address, requests: 0 });
    socket.once('close', () => {
      this.#count--;
      address.unused.delete(socket);
      address.idle.delete(socket);
      if (--address.connections === 0) this.#addresses.delete(name);
    });
  }

  /** Closes a connection from an address without a request in progress. Returns whether there was one. */
  #closeOneOf(address: Address | undefined): boolean {
    return address !== undefined && (this.#closeOldest(address.unused) || this.#closeOldest(address.idle));
  }

  #closeOldest(connections: Set<Socket>): boolean {
    const [oldest] = connections;
    if (!oldest) return false;
    this.#refusals.count('idle_connections');
    connections.delete(oldest);
    oldest.destroy();
    return true;
  }

  /** The address with the most connections without a request in progress. */
  #largest(): Address | undefined {
    let largest: Address | undefined;
    let most = 0;
    for (const address of this.#addresses.values()) {
      const count = address.unused.size + address.idle.size;
      if (count > most) [largest, most] = [address, count];
    }
    return largest;
  }
}
