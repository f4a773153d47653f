import type { RoomEvent } from '../protocol/mod.ts';
import type { Room } from './room.ts';

/** Rooms that are remembered; the one that was asked for longest ago is forgotten for another. */
const MAX_ROOMS = 500;
/** State events that are remembered of a room; members of a large one are the most of them. */
const MAX_ENTRIES = 2_000;

/** State events by `stateKeyOf`; `undefined` for those that are known not to be there. */
export type KnownState = ReadonlyMap<string, RoomEvent | undefined>;

/** The place of a state event in a room's state. */
export function stateKeyOf(type: string, stateKey: string): string {
  return JSON.stringify([type, stateKey]);
}

/**
 * Rooms as this process has left them: each at a version, up to which everything that its commits owed has
 * been done. Others may have changed them since, which only a look at the version tells.
 */
export class RoomMemory {
  readonly #rooms = new Map<string, { readonly room: Room; readonly known: KnownState }>();

  /** A room as it was left, if it is remembered, and nobody who came into it is still being looked at. */
  recall(roomId: string): Room | undefined {
    const room = this.#rooms.get(roomId)?.room;
    return room?.pending?.length ? undefined : room;
  }

  /** What is known of the state that a room had at a version; nothing if others have changed it since. */
  stateAt({ _id, version }: Room): KnownState {
    const entry = this.#rooms.get(_id);
    return entry?.room.version === version ? entry.known : new Map();
  }

  /** Remembers a room, as `settleRoom` returns it, and what is known of its state. */
  keep(room: Room, known: KnownState): void {
    this.#rooms.delete(room._id);
    this.#rooms.set(room._id, { room, known: known.size > MAX_ENTRIES ? new Map() : known });
    const [oldest] = this.#rooms.keys();
    if (this.#rooms.size > MAX_ROOMS && oldest !== undefined) this.#rooms.delete(oldest);
  }

  /** Forgets a room that is gone: another may come to have its id. */
  forget(roomId: string): void {
    this.#rooms.delete(roomId);
  }
}
