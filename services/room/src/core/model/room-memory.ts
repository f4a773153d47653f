import type { RoomEvent } from '../protocol/mod.ts';
import type { Room } from './room.ts';

/** The most rooms that are remembered; beyond that the least recently kept one is dropped. */
const MAX_ROOMS = 500;
/** The most state events that are remembered of a room; beyond that none are. */
const MAX_ENTRIES = 2_000;

/** State events by `stateKeyOf`; `undefined` for a key that is known to have none. */
export type KnownState = ReadonlyMap<string, RoomEvent | undefined>;

/** Type and state key of a state event as one text. */
export function stateKeyOf(type: string, stateKey: string): string {
  return JSON.stringify([type, stateKey]);
}

/**
 * A cache of rooms as this process has last seen them, each at a version up to which its pending effects were applied.
 * Other processes may have changed them since; a commit detects that by its condition on the version.
 */
export class RoomMemory {
  readonly #rooms = new Map<string, { readonly room: Room; readonly known: KnownState }>();

  /** The remembered room, if no recheck of its members is pending. */
  recall(roomId: string): Room | undefined {
    const room = this.#rooms.get(roomId)?.room;
    return room?.pending?.length ? undefined : room;
  }

  /** The known state of a room at its version; empty if the room is remembered at another version. */
  stateAt({ _id, version }: Room): KnownState {
    const entry = this.#rooms.get(_id);
    return entry?.room.version === version ? entry.known : new Map();
  }

  /** Remembers a room whose effects were applied, and its known state. */
  keep(room: Room, known: KnownState): void {
    this.#rooms.delete(room._id);
    this.#rooms.set(room._id, { room, known: known.size > MAX_ENTRIES ? new Map() : known });
    const [oldest] = this.#rooms.keys();
    if (this.#rooms.size > MAX_ROOMS && oldest !== undefined) this.#rooms.delete(oldest);
  }

  /** Forgets a deleted room, because another room may be created with its id. */
  forget(roomId: string): void {
    this.#rooms.delete(roomId);
  }
}
