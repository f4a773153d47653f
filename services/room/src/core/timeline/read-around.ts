import type { Deps } from '../deps.ts';
import type { EventDocument } from '../model/event-document.ts';
import { before, formatPosition, type Position } from '../model/position.ts';
import { type PageRequest, readSelected, type Select } from './read-page.ts';

/** The part of history to read. */
export interface AroundRequest {
  /** The event in the middle. */
  readonly document: EventDocument;
  /** The most events before it, and after it. */
  readonly limits: { readonly before: number; readonly after: number };
  /** The arrival of the last event to consider. */
  readonly until: number;
  /** The beginning of the room's timeline, if events were purged. */
  readonly horizon?: PageRequest['horizon'];
}

/** The events around an event. */
export interface Around<E> {
  /** Before it, the nearest first. */
  readonly earlier: readonly E[];
  /** After it, the nearest first. */
  readonly later: readonly E[];
  /** The token for reading on backward. */
  readonly start: string;
  /** The token for reading on forward. */
  readonly end: string;
}

/** As many events before an event as after it; one more after it if the number is odd. */
export function aroundEvenly(limit: number): AroundRequest['limits'] {
  const before = Math.floor(limit / 2);
  return { before, after: limit - before };
}

/** Reads the matching events before and after an event (behaviour.md 10.7). */
export async function readAround<E extends { readonly document: EventDocument }>(
  deps: Pick<Deps, 'events'>,
  { document, limits, until, horizon }: AroundRequest,
  select: Select<E>,
): Promise<Around<E>> {
  const { room_id: roomId, depth, arrival = 0 } = document;
  const rightAfter: Position = { depth, arrival };
  const rightBefore = before(rightAfter);
  const part = { roomId, until, horizon };
  const [earlier, later] = await Promise.all([
    readSelected(deps, { ...part, direction: 'b', from: rightBefore, limit: limits.before }, select),
    readSelected(deps, { ...part, direction: 'f', from: rightAfter, limit: limits.after }, select),
  ]);
  return {
    earlier: earlier.events,
    later: later.events,
    start: formatPosition(earlier.end ?? rightBefore),
    end: formatPosition(later.end ?? rightAfter),
  };
}
