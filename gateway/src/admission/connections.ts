import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Refusals } from './refusals.ts';

/** The connections from one address. */
interface Address {
  connections: number;
  /** Those without a request in progress, the longest idle first. */
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
 * Bounds connections: all of them, and those from one address without a request in progress. The one that has been idle
 * longest gives way to a new one. A connection is cut when its client neither sends a request nor reads its answers.
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
    if (++connection.requests === 1) connection.address.idle.delete(socket);
    if (connection.requests <= MAX_PIPELINED || socket.destroyed) return;
    this.#refusals.count('pipelined');
    socket.destroy();
  }

  /** Notes that a request on a connection has ended. */
  end(socket: Socket): void {
    const connection = this.#connections.get(socket);
    if (connection && --connection.requests === 0 && !socket.destroyed) connection.address.idle.add(socket);
  }

  #open(socket: Socket): void {
    if (this.#count >= this.#limits.all && !this.#closeOldest(this.#mostIdle())) {
      this.#refusals.count('connections');
      socket.destroy();
      return;
    }
    const name = socket.remoteAddress ?? '';
    const address = this.#addresses.get(name) ?? { connections: 0, idle: new Set() };
    if (address.idle.size >= this.#limits.idleOfAddress) this.#closeOldest(address);
    this.#addresses.set(name, address);
    address.connections++;
    address.idle.add(socket);
    this.#count++;
    this.#connections.set(socket, { address, requests: 0 });
    socket.once('close', () => {
      this.#count--;
      address.idle.delete(socket);
      if (--address.connections === 0) this.#addresses.delete(name);
    });
  }

  /** Closes the longest idle connection from an address. Returns whether there was one. */
  #closeOldest(address: Address | undefined): boolean {
    const [oldest] = address?.idle ?? [];
    if (!oldest) return false;
    this.#refusals.count('idle_connections');
    address?.idle.delete(oldest);
    oldest.destroy();
    return true;
  }

  #mostIdle(): Address | undefined {
    let most: Address | undefined;
    for (const address of this.#addresses.values()) {
      if (address.idle.size > (most?.idle.size ?? 0)) most = address;
    }
    return most;
  }
}
