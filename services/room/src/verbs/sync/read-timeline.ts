import type { Requester } from '@steward/rpc';
import type { Deps } from '../../core/deps.ts';
import type { EventDocument } from '../../core/model/event-document.ts';
import { toRoomEvent } from '../../core/model/event-form.ts';
import { before, formatPosition, type Position } from '../../core/model/position.ts';
import { type EventFilter, matchesEvent } from '../../core/protocol/mod.ts';
import { MAX_EVENTS_READ } from '../../core/timeline/read-page.ts';
import type { ReadAccess } from '../../core/visibility/read-access.ts';
import { selectVisible } from '../../core/visibility/select-events.ts';
import type { VisibleEvent } from '../../core/visibility/visible-events.ts';

/** The default number of events of a timeline, and the maximum. */
const DEFAULT_LIMIT = 10;
const MAX_LIMIT = 100;

/** The most bytes of the events of a timeline; the newest event is always included. */
const MAX_BYTES = 2 * 1024 * 1024;

/** The fewest events that a further query reads, because most of them may not match the filter. */
const MIN_PER_QUERY = 20;

/** Which timeline to read. */
export interface TimelineRequest {
  /** The arrival of the last event that the client knows. */
  readonly after: number;
  readonly filter: EventFilter;
  /** The id of an event that is included even if the visibility rules hide it from the viewer. */
  readonly always?: string;
}

/** The newest events that a client does not know. */
export interface Timeline {
  /** In the order of arrival. */
  readonly events: readonly VisibleEvent[];
  /** Whether there may be events between these and those that the client knows. */
  readonly limited: boolean;
  /** The arrival after which the timeline contains every visible event. */
  readonly start: number;
  /** The token of the position right before the first event. */
  readonly prevBatch: string;
}

/** Reads the newest events of a room that a client does not know, in the order of arrival (client-plane.md 10.2). */
export async function readTimeline(
  deps: Deps,
  access: ReadAccess,
  caller: Requester,
  { after: known, filter, always }: TimelineRequest,
): Promise<Timeline> {
  const limit = Math.min(filter.limit ?? DEFAULT_LIMIT, MAX_LIMIT);
  const end = { depth: access.room.depth, arrival: access.arrival };
  const { horizon } = access.room;
  // Events before the horizon were purged.
  const after = Math.max(known, (horizon?.arrival ?? 1) - 1);
  if (matchesNothing(filter))
    return { events: [], limited: false, start: known, prevBatch: formatPosition(end) };
  const visible = selectVisible(deps, access, caller, filter);
  const select = async (documents: readonly EventDocument[]): Promise<readonly VisibleEvent[]> => {
    const seen = await visible(documents);
    const own = documents.find(({ _id }) => _id === always);
    if (!own || !matchesEvent(filter, toRoomEvent(own))) return seen;
    return seen.some(({ document }) => document === own)
      ? seen
      : [
          {
            document: own,
            isRedacted: false,
            membership: access.member?.membership === 'ban' ? 'ban' : 'leave',
          },
          ...seen,
        ];
  };

  const found: VisibleEvent[] = [];
  let read = 0;
  let bytes = 0;
  let reached: Position = end;
  while (reached.arrival > after) {
    if (read >= MAX_EVENTS_READ) return toTimeline(found, reached);
    const missing = limit + 1 - found.length;
    const count = read === 0 ? missing : Math.max(missing, MIN_PER_QUERY);
    const documents = await deps.events
      .find(
        {
          room_id: access.roomId,
          arrival: { $gt: after, $lte: reached.arrival },
          ...(horizon ? { depth: { $gte: horizon.depth } } : {}),
        },
        { sort: { arrival: -1 }, limit: count },
      )
      .toArray();
    read += documents.length;
    for (const event of await select(documents)) {
      const { document } = event;
      bytes += document.bytes;
      if (found.length === limit || (found.length > 0 && bytes > MAX_BYTES)) {
        const first = found.at(-1)?.document;
        return toTimeline(found, first ? positionBefore(first) : end);
      }
      found.push(event);
    }
    const last = documents.at(-1);
    if (!last || documents.length < count) break;
    reached = positionBefore(last);
  }
  const first = found.at(-1)?.document;
  return {
    events: found.toReversed(),
    limited: after > known,
    start: after,
    prevBatch: formatPosition(first ? positionBefore(first) : end),
  };
}

/** A timeline before which there may be further events. */
function toTimeline(found: readonly VisibleEvent[], start: Position): Timeline {
  return {
    events: found.toReversed(),
    limited: true,
    start: start.arrival,
    prevBatch: formatPosition(start),
  };
}

function positionBefore({ depth, arrival = 0 }: EventDocument): Position {
  return before({ depth, arrival });
}

function matchesNothing({ types }: EventFilter): boolean {
  return types !== undefined && types.exact.size === 0 && types.wildcards.length === 0;
}
