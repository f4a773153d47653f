import type { RoomEvent } from '../protocol/mod.ts';
import type { Room } from './room.ts';

/** Rooms that are remembered; the least recently kept one makes room for another. */
const MAX_ROOMS = 500;
/** State events that are remembered of a room; most of them are members of large rooms. */
const MAX_ENTRIES = 2_000;

/** State events by `stateKeyOf`; `undefined` for those that are known not to exist. */
export type KnownState = ReadonlyMap<string, RoomEvent | undefined>;

/** Type and state key of a state event as one text. */
export function stateKeyOf(type: string, stateKey: string): string {
  return JSON.stringify([type, stateKey]);
}

/**
 * Rooms as this process has left them: each at a version up to which its pending effects were applied. Other
 * processes may have changed them since, which a commit's condition on the version detects.
 */
export class RoomMemory {
  readonly #rooms = new Map<string, { readonly room: Room; readonly known: KnownState }>();

  /** A room as it was left, if it is remembered, and none of its members is still being rechecked. */
  recall(roomId: string): Room | undefined {
    const room = this.#rooms.get(roomId)?.room;
    return room?.pending?.length ? undefined : room;
  }

  /** What is known of the state that a room had at a version; nothing if it is remembered at another one. */
  stateAt({ _id, version }: Room): KnownState {
    const entry = this.#rooms.get(_id);
    return entry?.room.version === version ? entry.known : new Map();
  }

  /** Remembers a room whose effects were applied, and what is known of its state. */
  keep(room: Room, known: KnownState): void {
    this.#rooms.delete(room._id);
    this.#rooms.set(room._id, { room, known: known.size > MAX_ENTRIES ? new Map() : known });
    const [oldest] = this.#rooms.keys();
    if (this.#rooms.size > MAX_ROOMS && oldest !== undefined) this.#rooms.delete(oldest);
  }

  /** Forgets a room that was deleted: another may get its id. */
  forget(roomId: string): void {
    this.#rooms.delete(roomId);
  }
}
