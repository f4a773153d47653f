import type { Deps } from '../../core/deps.ts';

/** Events that are read with one query; many, because most events have no media. */
const EVENTS_PER_QUERY = 1_000;

/** The most events that are read for a page. */
const MAX_EVENTS_OF_PAGE = 10_000;

/** The number of content URIs at which a page ends. */
const URIS_OF_PAGE = 1_000;

/** A page of the media in a room's events. */
export interface RoomMediaPage {
  /** Content URIs, those of the newest event first; may contain duplicates. */
  readonly uris: readonly string[];
  /** Where the next page starts; `undefined` on the last one. */
  readonly next: number | undefined;
}

/**
 * A page of the media in a room's events, the newest first (behaviour.md 5). An unknown room has none.
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
    const start = Math.max(end - EVENTS_PER_QUERY, 1);
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
