import type { Broadcast, Bus } from '@steward/events';
import { isObject } from '@steward/kernel';

/** The longest that a user is typing without a further request, in milliseconds. */
const MAX_TYPING_MS = 120_000;

/** The topic in which the processes tell each other who is typing. */
export const TYPING_TOPIC = 'room_typing';

/** The most users who are typing in a room, and in all rooms; further ones are not shown. */
const MAX_OF_ROOM = 100;
const MAX_OF_ALL = 20_000;

/** A change, as processes tell it to each other. */
interface Change {
  readonly room: string;
  readonly user: string;
  /** How long the user is typing, in milliseconds; 0 when they have stopped. */
  readonly ms: number;
}

/**
 * Who is typing, in all processes: each keeps it in its memory, and tells the others of the changes that it makes. Nothing is
 * stored; after a restart a process learns of those who type on.
 */
export class Typing {
  /** The timers that end the typing of each user, by room. */
  readonly #rooms = new Map<string, Map<string, NodeJS.Timeout>>();
  readonly #changed: (roomId: string) => void;
  #count = 0;
  #broadcast: Broadcast | undefined;

  /** @param changed called when a user begins or ceases to type in a room */
  constructor(changed: (roomId: string) => void) {
    this.#changed = changed;
  }

  /** Begins to listen to other processes. */
  async open({ openBroadcast }: Pick<Bus, 'openBroadcast'>): Promise<void> {
    this.#broadcast = await openBroadcast?.({
      topic: TYPING_TOPIC,
      receive: (message, ageMs) => {
        const change = readChange(message);
        if (change) this.#apply({ ...change, ms: Math.max(0, change.ms - ageMs) });
      },
      connected: () => {},
    });
  }

  /** The users who are typing in a room, sorted. */
  in(roomId: string): readonly string[] {
    return [...(this.#rooms.get(roomId)?.keys() ?? [])].sort();
  }

  /** A user is typing in a room for some time, unless they stop before. */
  begin(roomId: string, userId: string, ms: number): void {
    this.#tell({ room: roomId, user: userId, ms: Math.min(ms, MAX_TYPING_MS) });
  }

  /** A user is no longer typing in a room. */
  end(roomId: string, userId: string): void {
    if (this.#rooms.get(roomId)?.has(userId)) this.#tell({ room: roomId, user: userId, ms: 0 });
  }

  #tell(change: Change): void {
    this.#apply(change);
    this.#broadcast?.send(new TextEncoder().encode(JSON.stringify(change)));
  }

  #apply({ room, user, ms }: Change): void {
    const users = this.#rooms.get(room) ?? new Map<string, NodeJS.Timeout>();
    const timer = users.get(user);
    clearTimeout(timer);
    if (ms > 0) {
      if (!timer && (users.size >= MAX_OF_ROOM || this.#count >= MAX_OF_ALL)) return;
      this.#rooms.set(room, users);
      const stop = () => this.#apply({ room, user, ms: 0 });
      users.set(user, setTimeout(stop, Math.min(ms, MAX_TYPING_MS)).unref());
      if (timer) return;
      this.#count++;
    } else {
      if (!timer) return;
      users.delete(user);
      this.#count--;
      if (users.size === 0) this.#rooms.delete(room);
    }
    this.#changed(room);
  }

  /** Forgets everything, and no longer listens. */
  close(): void {
    this.#broadcast?.close();
    for (const users of this.#rooms.values()) for (const timer of users.values()) clearTimeout(timer);
    this.#rooms.clear();
  }
}

/** Reads a message; `undefined` for one of another release that this one does not understand. */
function readChange(message: Uint8Array): Change | undefined {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(message));
    if (!isObject(value)) return undefined;
    const { room, user, ms } = value;
    return typeof room === 'string' && typeof user === 'string' && typeof ms === 'number'
      ? { room, user, ms }
      : undefined;
  } catch {
    return undefined;
  }
}
