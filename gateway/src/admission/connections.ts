import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { networkOf } from '@steward/rpc';
import type { Refusals } from './refusals.ts';

/** How long a new connection is kept for its first request, in seconds, unless there are too many connections in all. */
const FIRST_REQUEST_S = 2;

/**
 * After how long without progress an answer is cut whose caller wants more than it reads, in milliseconds. What the operating
 * system took at first counts as progress: of an answer that is not read at all, nothing is left after twice as long.
 */
const STALL_LIMIT_OF_CROWDED_MS = 5_000;

/** The connections from one address, or one IPv6 network. */
interface Address {
  connections: number;
  /** The connections that have had no request, the oldest first, with the second in which they were opened. */
  readonly unused: Map<Socket, number>;
  /** The connections that wait for another request, by the caller of their last one, the longest idle first. */
  readonly idle: Map<string, Set<Socket>>;
  idleCount: number;
}

/** How many requests a client may pipeline; each but the first waits for the answers before it. */
const MAX_PIPELINED = 64;

interface Connection {
  readonly address: Address;
  /** Pipelined requests are in progress together. */
  requests: number;
  /** The caller of the last request. */
  caller: string;
}

/**
 * Bounds connections: all of them; those from one address that have had no request; and those from one address that wait
 * for another one. The longest-idle connection of the caller with the most idle connections is closed. So neither
 * connections without a request nor those of one caller displace those that other clients keep. A connection is cut when
 * its client neither sends a request nor reads its answers.
 */
export class Connections {
  readonly #limits: { readonly all: number; readonly idleOfAddress: number };
  readonly #refusals: Refusals;
  readonly #connections = new WeakMap<Socket, Connection>();
  readonly #addresses = new Map<string, Address>();
  #count = 0;
  #seconds = 0;

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

  /** Closes connections beyond the limit that have had no request for some time; called once a second. */
  tick(): void {
    this.#seconds++;
    for (const address of this.#addresses.values()) {
      for (const [socket, opened] of address.unused) {
        if (address.unused.size <= this.#limits.idleOfAddress || this.#seconds - opened < FIRST_REQUEST_S)
          break;
        address.unused.delete(socket);
        this.#close(socket);
      }
    }
  }

  /** Notes that a request on a connection begins. A connection with too many of them is cut. */
  begin(socket: Socket): void {
    const connection = this.#connections.get(socket);
    if (!connection) return;
    if (++connection.requests === 1) {
      connection.address.unused.delete(socket);
      removeIdle(connection, socket);
    }
    if (connection.requests <= MAX_PIPELINED || socket.destroyed) return;
    this.#refusals.count('pipelined');
    socket.destroy();
  }

  /** Gives the answer on a connection less time for progress. Node gives the next one the usual time again. */
  hurry(socket: Socket): void {
    if (this.#connections.has(socket)) socket.setTimeout(STALL_LIMIT_OF_CROWDED_MS);
  }

  /** Notes that a request of a caller on a connection has ended. */
  end(socket: Socket, caller: string): void {
    const connection = this.#connections.get(socket);
    if (!connection || --connection.requests > 0 || socket.destroyed) return;
    const { address } = connection;
    if (address.idleCount >= this.#limits.idleOfAddress) this.#closeIdle(address);
    connection.caller = caller;
    addIdle(connection, socket);
  }

  #open(socket: Socket): void {
    if (this.#count >= this.#limits.all && !this.#closeOneOf(this.#largest())) {
      this.#refusals.count('connections');
      socket.destroy();
      return;
    }
    const name = networkOf(socket.remoteAddress ?? '');
    const address: Address = this.#addresses.get(name) ?? {
      connections: 0,
      unused: new Map(),
      idle: new Map(),
      idleCount: 0,
    };
    this.#addresses.set(name, address);
    address.connections++;
    address.unused.set(socket, this.#seconds);
    this.#count++;
    const connection: Connection = { address, requests: 0, caller: '' };
    this.#connections.set(socket, connection);
    socket.once('close', () => {
      this.#count--;
      address.unused.delete(socket);
      removeIdle(connection, socket);
      if (--address.connections === 0) this.#addresses.delete(name);
    });
  }

  /** Closes a connection from an address without a request in progress. Returns whether there was one. */
  #closeOneOf(address: Address | undefined): boolean {
    return address !== undefined && (this.#closeUnused(address) || this.#closeIdle(address));
  }

  #closeUnused({ unused }: Address): boolean {
    const [oldest] = unused.keys();
    if (oldest) unused.delete(oldest);
    return this.#close(oldest);
  }

  #closeIdle({ idle }: Address): boolean {
    let most: Set<Socket> | undefined;
    for (const sockets of idle.values()) if (sockets.size > (most?.size ?? 0)) most = sockets;
    const [oldest] = most ?? [];
    const connection = oldest && this.#connections.get(oldest);
    if (connection) removeIdle(connection, oldest);
    return this.#close(oldest);
  }

  #close(socket: Socket | undefined): boolean {
    if (!socket) return false;
    this.#refusals.count('idle_connections');
    socket.destroy();
    return true;
  }

  /** The address with the most connections without a request in progress. */
  #largest(): Address | undefined {
    let largest: Address | undefined;
    let most = 0;
    for (const address of this.#addresses.values()) {
      const count = address.unused.size + address.idleCount;
      if (count > most) [largest, most] = [address, count];
    }
    return largest;
  }
}

function addIdle({ address, caller }: Connection, socket: Socket): void {
  const sockets = address.idle.get(caller) ?? new Set();
  address.idle.set(caller, sockets);
  sockets.add(socket);
  address.idleCount++;
}

function removeIdle({ address, caller }: Connection, socket: Socket): void {
  const sockets = address.idle.get(caller);
  if (!sockets?.delete(socket)) return;
  address.idleCount--;
  if (sockets.size === 0) address.idle.delete(caller);
}
