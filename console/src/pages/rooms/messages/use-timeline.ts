import { useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { call } from '../../../api/call.ts';
import { type RoomEvent, readEvent } from '../room/room-event.ts';
import { CONTENT, CONTENT_OPTIONS } from '../room/use-content.ts';

/** A part of the history of a room, the oldest event first, and the tokens of the parts around it. */
interface Part {
  readonly events: readonly RoomEvent[];
  /** Absent at the beginning of the history. */
  readonly older: string | undefined;
  readonly newer: string;
}

/** Where a part is read: around an event, at the present end, or from a token in a direction. */
type Place =
  | { readonly kind: 'around'; readonly eventId: string }
  | { readonly kind: 'end' }
  | { readonly kind: 'from'; readonly token: string; readonly dir: 'f' | 'b' };

/** Which events are shown. */
export interface TimelineFilter {
  readonly sender: string | undefined;
  readonly types: readonly string[] | undefined;
}

const PART_EVENTS = 50;

/** The history of a room, which is read in both directions from an event, or backwards from its present end. */
export function useTimeline(
  roomId: string,
  eventId: string | undefined,
  filter: TimelineFilter,
  enabled: boolean,
) {
  const start: Place = eventId === undefined ? { kind: 'end' } : { kind: 'around', eventId };
  const query = useInfiniteQuery({
    queryKey: [CONTENT, roomId, 'timeline', start, filter],
    queryFn: ({ pageParam, signal }) => readPart(roomId, pageParam, filterOf(filter), signal),
    initialPageParam: start,
    getPreviousPageParam: ({ older }: Part): Place | undefined =>
      older === undefined ? undefined : { kind: 'from', token: older, dir: 'b' },
    getNextPageParam: ({ newer }: Part): Place => ({ kind: 'from', token: newer, dir: 'f' }),
    enabled,
    ...CONTENT_OPTIONS,
  });
  const { data } = query;
  const events = useMemo(() => withoutRepetitions(data?.pages.flatMap((part) => part.events) ?? []), [data]);
  // The last part is empty when nothing newer was there at the time.
  const isAtEnd = eventId === undefined || (data !== undefined && data.pages.at(-1)?.events.length === 0);
  return { query, events, isAtEnd };
}

async function readPart(roomId: string, place: Place, filter: object, signal: AbortSignal): Promise<Part> {
  if (place.kind === 'around') {
    const around = { room_id: roomId, event_id: place.eventId, limit: PART_EVENTS, ...filter };
    const {
      events_before: before,
      event,
      events_after: after,
      start,
      end,
    } = await call('rooms.getEventContext', around, { signal });
    return { events: [...before.toReversed(), event, ...after].map(readEvent), older: start, newer: end };
  }
  const dir = place.kind === 'end' ? 'b' : place.dir;
  const from = place.kind === 'end' ? {} : { from: place.token };
  const { chunk, start, end } = await call(
    'rooms.listMessages',
    { room_id: roomId, dir, ...from, limit: PART_EVENTS, ...filter },
    { signal },
  );
  const events = chunk.map(readEvent);
  return dir === 'b'
    ? { events: events.toReversed(), older: end, newer: start }
    : { events, older: start, newer: end ?? start };
}

/** The parameter `filter`, which is encoded once more than the others. */
function filterOf({ sender, types }: TimelineFilter): object {
  if (sender === undefined && types === undefined) return {};
  const filter = { ...(sender === undefined ? {} : { senders: [sender] }), ...(types ? { types } : {}) };
  return { filter: encodeURIComponent(JSON.stringify(filter)) };
}

function withoutRepetitions(events: readonly RoomEvent[]): readonly RoomEvent[] {
  return [...new Map(events.map((event) => [event.id, event])).values()];
}
