import type { Broadcast, BroadcastOptions } from '@steward/events';

/** Several instances on a broker that remembers messages, in simulated time. */
export class SimulatedNetwork {
  #now = 0;
  #work: { readonly at: number; readonly run: () => void }[] = [];
  readonly #stations = new Set<Station>();
  readonly #log: { readonly at: number; readonly message: Uint8Array }[] = [];
  /** The delay of the next delivery, in milliseconds. */
  readonly #delayMs: () => number;
  /** How often the next delivery arrives, 1 or more. */
  readonly #copies: () => number;

  constructor(delayMs: () => number = () => 1, copies: () => number = () => 1) {
    this.#delayMs = delayMs;
    this.#copies = copies;
  }

  get now(): number {
    return this.#now;
  }

  /** The messages that were sent. */
  get sent(): readonly Uint8Array[] {
    return this.#log.map(({ message }) => message);
  }

  /** Calls a function at a time, in order. */
  at(time: number, run: () => void): void {
    const index = this.#work.findLastIndex((other) => other.at <= time);
    this.#work.splice(index + 1, 0, { at: time, run });
  }

  /** Lets time pass. */
  runUntil(time: number): void {
    for (let next = this.#work[0]; next && next.at <= time; next = this.#work[0]) {
      this.#work.shift();
      this.#now = Math.max(this.#now, next.at);
      next.run();
    }
    this.#now = time;
  }

  /** Opens the station of an instance, which receives what was sent before. */
  open(options: BroadcastOptions): Station {
    const station = new Station(this, options);
    this.#stations.add(station);
    station.connect();
    return station;
  }

  /** The messages from a number of the log on, with their ages. */
  since(first: number): readonly { readonly message: Uint8Array; readonly ageMs: number }[] {
    return this.#log.slice(first).map(({ at, message }) => ({ message, ageMs: this.#now - at }));
  }

  /** Delivers a message to all stations but its own. */
  carry(message: Uint8Array, from?: Station): void {
    this.#log.push({ at: this.#now, message });
    for (const station of this.#stations) {
      if (station === from) continue;
      // A connection keeps the order.
      station.arrivesAt = Math.max(station.arrivesAt, this.#now + this.#delayMs());
      for (let copy = this.#copies(); copy > 0; copy--)
        this.at(station.arrivesAt, () => station.arrive(message));
    }
  }
}

/** The connection of one instance. */
export class Station implements Broadcast {
  readonly #network: SimulatedNetwork;
  readonly #options: BroadcastOptions;
  #read = 0;
  isConnected = false;
  arrivesAt = 0;

  constructor(network: SimulatedNetwork, options: BroadcastOptions) {
    this.#network = network;
    this.#options = options;
  }

  /** Connects: the instance receives what was sent without it. */
  connect(): void {
    this.isConnected = true;
    this.#options.connected();
    const missed = this.#network.since(this.#read);
    this.#read += missed.length;
    for (const { message, ageMs } of missed) this.#options.receive(message, ageMs);
  }

  disconnect(): void {
    this.isConnected = false;
  }

  arrive(message: Uint8Array): void {
    if (this.isConnected) this.#options.receive(message, 0);
  }

  send(message: Uint8Array): void {
    if (this.isConnected) this.#network.carry(message, this);
  }

  close(): void {
    this.isConnected = false;
  }
}
