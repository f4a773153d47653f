import { refuse } from '@steward/errors';
import { readListToken, writeListToken } from '@steward/kernel';
import type { Place } from './stream.ts';
import { STREAMS, type StreamName } from './streams.ts';

/** The longest id of a place, in characters. */
const MAX_ID_LENGTH = 512;

/** Where a timeline continues. */
export interface TimelineCursor {
  /** When its first page was read: newer entries are not on later pages. In milliseconds since the Unix epoch. */
  readonly until: number;
  /** The last entry of each stream on an earlier page. */
  readonly places: ReadonlyMap<StreamName, Place>;
}

/** Returns a cursor as a text without a meaning to clients. */
export function formatCursor({ until, places }: TimelineCursor): string {
  const streams = [...places].map(([name, { ts, id }]) => [name, ts, id]);
  return writeListToken([until, ...streams]);
}

/** @throws refuse.invalidParam for a text that is not a cursor */
export function parseCursor(text: string): TimelineCursor {
  const cursor = readCursor(text);
  if (cursor === undefined) throw refuse.invalidParam("'from' is not a position of this list");
  return cursor;
}

function readCursor(text: string): TimelineCursor | undefined {
  const [until, ...streams] = readListToken(text);
  if (!isTime(until) || streams.length > Object.keys(STREAMS).length) return undefined;
  const places = new Map<StreamName, Place>();
  for (const stream of streams) {
    if (!Array.isArray(stream)) return undefined;
    const [name, ts, id] = stream as unknown[];
    if (typeof name !== 'string' || !Object.hasOwn(STREAMS, name)) return undefined;
    if (!isTime(ts) || typeof id !== 'string' || id.length > MAX_ID_LENGTH || !id.isWellFormed())
      return undefined;
    places.set(name as StreamName, { ts, id });
  }
  return { until, places };
}

function isTime(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
