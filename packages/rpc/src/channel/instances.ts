import { Code, ConnectError } from '@connectrpc/connect';
import { type Random, tlsRefusal } from '@steward/kernel';
import { connectionLostError } from '../call-failure.ts';
import type { Tls } from '../tls.ts';
import { type Address, type Addresses, followAddresses, type LookUp, placeOf } from './addresses.ts';
import { Instance } from './instance.ts';

/** The interval at which instances are watched, in milliseconds: one that is gone is left after at most five. */
const TICK_MS = 200;

/** A call that waits for an instance. */
interface Waiter {
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** The options for finding the instances of a service. */
export interface InstancesOptions {
  /** URLs of single instances, or with names that stand for several. */
  readonly urls: readonly string[];
  readonly credential: string;
  readonly tls?: Tls | undefined;
  readonly random: Random;
  readonly lookUp: LookUp;
}

/** The instances of a service, which are connected from the first call on. */
export class Instances {
  readonly #options: InstancesOptions;
  readonly #known = new Map<string, Instance>();
  /** Instances that are no longer known and have calls in progress. */
  readonly #retired = new Set<Instance>();
  readonly #waiters = new Set<Waiter>();
  /** The instances to call. */
  #candidates: readonly Instance[] = [];
  /** How many instances are ready. */
  #ready = 0;
  #addresses: Addresses | undefined;
  #ticks: NodeJS.Timeout | undefined;
  #isClosed = false;
  #lastLoss: unknown;

  constructor(options: InstancesOptions) {
    this.#options = options;
  }

  /**
   * Returns the instance to call: of two random ones, that with fewer calls in progress, so that no instance becomes busier
   * than others that could take its calls. `undefined` when none is connected.
   */
  pick(): Instance | undefined {
    const { random } = this.#options;
    const candidates = this.#candidates;
    const { length } = candidates;
    if (length < 2) return candidates[0];
    const index = random.below(length);
    const one = candidates[index] as Instance;
    // Any of the others.
    const other = candidates[(index + 1 + (length > 2 ? random.below(length - 1) : 0)) % length] as Instance;
    return other.calls < one.calls ? other : one;
  }

  /**
   * Returns the instance to call, when one is connected.
   *
   * @param until waits no longer than this time of `performance.now()`
   * @throws ConnectError when none is connected in time, all refuse the connection's credential, or the caller aborts
   */
  async next(until: number, signal: AbortSignal | undefined): Promise<Instance> {
    this.#start();
    for (;;) {
      const instance = this.pick();
      if (instance) return instance;
      if (this.#isClosed) throw connectionLostError(this.#lastLoss);
      if (signal?.aborted) throw ConnectError.from(signal.reason, Code.Canceled);
      await this.#change(until, signal);
    }
  }

  close(): void {
    this.#isClosed = true;
    this.#addresses?.close();
    clearInterval(this.#ticks);
    for (const instance of [...this.#known.values(), ...this.#retired]) instance.close();
    this.#known.clear();
    this.#retired.clear();
    this.#candidates = [];
    for (const { resolve } of this.#waiters) resolve();
  }

  #start(): void {
    if (this.#addresses || this.#isClosed) return;
    const { urls, lookUp } = this.#options;
    this.#ticks = setInterval(() => this.#tick(), TICK_MS).unref();
    this.#addresses = followAddresses({ urls, lookUp, onAddresses: (found) => this.#follow(found) });
  }

  /** Waits until an instance may be connected. */
  async #change(until: number, signal: AbortSignal | undefined): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiter = { resolve, reject };
    const onAbort = () => reject(ConnectError.from(signal?.reason, Code.Canceled));
    const giveUp = () => reject(connectionLostError(this.#lastLoss));
    const timer = setTimeout(giveUp, Math.max(0, until - performance.now()));
    signal?.addEventListener('abort', onAbort, { once: true });
    this.#waiters.add(waiter);
    try {
      await promise;
    } finally {
      this.#waiters.delete(waiter);
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    }
  }

  #follow(addresses: readonly Address[]): void {
    if (this.#isClosed) return;
    const { credential, tls, random } = this.#options;
    const places = new Set(addresses.map(placeOf));
    for (const [place, instance] of this.#known) {
      if (places.has(place)) continue;
      this.#known.delete(place);
      instance.retire();
      this.#retired.add(instance);
    }
    for (const address of addresses) {
      const place = placeOf(address);
      if (this.#known.has(place)) continue;
      const onChange = () => this.#choose();
      const onLost = (cause: unknown) => this.#noteLoss(cause);
      this.#known.set(place, new Instance({ address, credential, tls, random, onChange, onLost }));
    }
    this.#closeUnused();
    this.#choose();
  }

  #choose(): void {
    const ready = [...this.#known.values()].filter(({ isReady }) => isReady);
    if (ready.length < this.#ready) this.#addresses?.refresh();
    this.#ready = ready.length;
    const answering = ready.filter(({ isSilent }) => !isSilent);
    this.#candidates = answering.length > 0 ? answering : ready;
    if (ready.length > 0) for (const { resolve } of this.#waiters) resolve();
  }

  #noteLoss(cause: unknown): void {
    if (this.#isClosed) return;
    this.#lastLoss = cause;
    // Its place may be taken by another one.
    this.#addresses?.refresh();
    if (this.#candidates.length > 0) return;
    // The instance is there and refuses this process, or is refused by it, which waiting does not change.
    const refusal = cause instanceof ConnectError ? cause : tlsRefusal(cause) && connectionLostError(cause);
    if (refusal) for (const { reject } of this.#waiters) reject(refusal);
  }

  #tick(): void {
    for (const instance of this.#known.values()) instance.tick();
    for (const instance of this.#retired) instance.tick();
    // With nothing else to call, its calls wait.
    if (this.#candidates.some(({ isSilent }) => !isSilent))
      for (const instance of [...this.#known.values(), ...this.#retired])
        if (instance.isSilent) instance.link?.release();
    this.#closeUnused();
  }

  #closeUnused(): void {
    for (const instance of this.#retired) {
      if (instance.calls > 0) continue;
      this.#retired.delete(instance);
      instance.close();
    }
  }
}
