import type { Collections } from '../collections.ts';
import type { EventDocument } from '../model/event-document.ts';

/** Events of a room, in the order of their arrival. */
export interface EventPage {
  readonly events: readonly EventDocument[];
  /** Up to which arrival these, and the pages before, have all events. */
  readonly upTo: number;
}

/** The events of a room that arrived after one number, up to another, in pages of a size. */
export async function* eventPages(
  deps: Pick<Collections, 'events'>,
  roomId: string,
  { after, until, size }: { readonly after: number; readonly until: number; readonly size: number },
): AsyncGenerator<EventPage, void, undefined> {
  for (let upTo = after; upTo < until; ) {
    const events = await deps.events
      .find({ room_id: roomId, arrival: { $gt: upTo, $lte: until } }, { sort: { arrival: 1 }, limit: size })
      .toArray();
    upTo = events.length < size ? until : (events.at(-1)?.arrival ?? until);
    yield { events, upTo };
  }
}
