import type { Clock } from '@steward/kernel';

/** The shortest time between two notifications of a room, in milliseconds. */
const INTERVAL_MS = 1_000;

/**
 * Announces new receipts of rooms to those who wait. A message is followed by receipts of all who read it: a room is announced
 * at once, and then at most once a second, so that the members do not wake each other for each of them.
 */
export class ReceiptNews {
  readonly #announce: (roomId: string) => void;
  readonly #clock: Clock;
  /** When each room was last announced, and the timer of its next announcement. */
  readonly #rooms = new Map<string, { readonly at: number; timer?: NodeJS.Timeout }>();

  constructor(announce: (roomId: string) => void, clock: Clock) {
    this.#announce = announce;
    this.#clock = clock;
  }

  /** Announces that a room has new receipts, now or soon. */
  add(roomId: string): void {
    const now = this.#clock.now();
    const last = this.#rooms.get(roomId);
    if (last?.timer) return;
    if (last && now - last.at < INTERVAL_MS) {
      last.timer = setTimeout(() => this.#now(roomId), INTERVAL_MS).unref();
      return;
    }
    this.#now(roomId);
  }

  #now(roomId: string): void {
    const now = this.#clock.now();
    for (const [other, { at, timer }] of this.#rooms) {
      if (timer || now - at < INTERVAL_MS) break;
      this.#rooms.delete(other);
    }
    // At the end of the order, so that those announced longest ago are first.
    this.#rooms.delete(roomId);
    this.#rooms.set(roomId, { at: now });
    this.#announce(roomId);
  }

  /** Announces nothing more. */
  close(): void {
    for (const { timer } of this.#rooms.values()) clearTimeout(timer);
    this.#rooms.clear();
  }
}
