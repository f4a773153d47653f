import type { Deps } from '../../core/deps.ts';

/** How many events are read together, so that those without media cost little. */
const EVENTS_AT_ONCE = 1_000;

/** How many events a page comes from at most. */
const MAX_EVENTS_OF_PAGE = 10_000;

/** A page with so many content URIs goes no further. */
const URIS_OF_PAGE = 1_000;

/** A part of the media that a room's events show. */
export interface RoomMediaPage {
  /** Content URIs, those of the newest event first; one may come twice. */
  readonly uris: readonly string[];
  /** Where the next page starts; `undefined` on the last one. */
  readonly next: number | undefined;
}

/**
 * The media that a room's events show, newest first (behaviour.md 5). An unknown room shows none.
 *
 * @param before the arrival before which the page begins; the newest events unless given
 */
export async function roomMediaPage(
  deps: Pick<Deps, 'rooms' | 'events'>,
  roomId: string,
  before?: number,
): Promise<RoomMediaPage> {
  let end = before ?? (await newestArrival(deps, roomId)) + 1;
  const uris: string[] = [];
  const last = Math.max(end - MAX_EVENTS_OF_PAGE, 1);
  while (end > last && uris.length < URIS_OF_PAGE) {
    const start = Math.max(end - EVENTS_AT_ONCE, 1);
    const events = await deps.events
      .find(
        { room_id: roomId, arrival: { $gte: start, $lt: end } },
        { sort: { arrival: -1 }, projection: { media: 1 } },
      )
      .toArray();
    for (const { media } of events) uris.push(...media);
    end = start;
  }
  return { uris, next: end > 1 ? end : undefined };
}

async function newestArrival({ rooms }: Pick<Deps, 'rooms'>, roomId: string): Promise<number> {
  const room = await rooms.findOne({ _id: roomId }, { projection: { arrival: 1 } });
  return room?.arrival ?? 0;
}
