import { FORKED, FORKED_TABLES, HISTORY } from '../history.ts';
import { literal, type Row, type SourceDatabase } from '../source/database.ts';
import { OldState, stateKeyOf } from './old-state.ts';

/** Positions from one up to before another, or without an end. */
interface Range {
  readonly from: number;
  readonly until?: number;
}

/** The ranges of positions at which a state event is part of the state. */
export interface StateRanges {
  readonly event_id: string;
  readonly ranges: readonly Range[];
  /** What it replaced in its branch, where that is not what the room had before it; empty for none. */
  readonly replaces?: string;
}

/** What decides whether an event follows from the order of the events. */
export interface Reading {
  /** Whether an event is hidden here, or not carried. */
  isHidden(row: Row): boolean;
  /** The event that a state event has replaced, empty for none; undefined where that is not known. */
  replacedBy(row: Row): string | undefined;
}

/** A range that has not ended. */
interface Open {
  readonly event: string;
  readonly from: number;
}

/** How the state of a room came about: the ranges of its events, and which events have its keys. */
class Ranges {
  readonly of = new Map<string, Range[]>();
  readonly #open = new Map<string, Open>();

  /** What has a key now. */
  get(key: string): string | undefined {
    return this.#open.get(key)?.event;
  }

  /** Gives a key to an event at a position, or to none. */
  move(key: string, event: string | undefined, position: number): void {
    const before = this.#open.get(key);
    if (before?.event === event) return;
    if (before) this.#end(before, position);
    if (event === undefined) this.#open.delete(key);
    else this.#open.set(key, { event, from: position });
  }

  /** The keys that an event has. */
  keys(): Iterable<string> {
    return this.#open.keys();
  }

  /** Leaves the ranges that have not ended without an end. */
  close(): void {
    for (const { event, from } of this.#open.values()) this.#add(event, { from });
  }

  #end({ event, from }: Open, until: number): void {
    if (from < until) this.#add(event, { from, until });
  }

  #add(event: string, range: Range): void {
    const ranges = this.of.get(event) ?? [];
    this.of.set(event, ranges);
    ranges.push(range);
  }
}

/**
 * The state events of forked rooms whose ranges, or what they replaced, are other than what follows from the order of the events: with
 * the ranges that the old server's state groups say, up to the last event of the room, and from there on as the room's state is. In
 * memory are the ranges of one room.
 *
 * @param shift what is added to positions
 */
export async function* stateRanges(
  database: SourceDatabase,
  columns: { readonly select: string; readonly joins: string },
  shift: number,
  reading: Reading,
): AsyncGenerator<StateRanges> {
  if (FORKED_TABLES.some((table) => !database.tables.has(table))) return;
  const rooms = database.rows(
    `SELECT room_id FROM ${FORKED.replace('$false', database.no)} GROUP BY room_id ORDER BY ${database.inOrder('room_id')}`,
  );
  for await (const { room_id } of rooms) {
    const events = database.rows(
      `SELECT events.event_id, events.type, events.state_key, events.stream_ordering, events.sender, own.state_group, event_json.internal_metadata, CASE WHEN events.state_key IS NOT NULL THEN event_json.json END AS json${columns.select} FROM events JOIN event_json ON event_json.event_id = events.event_id LEFT JOIN event_to_state_groups AS own ON own.event_id = events.event_id${columns.joins} WHERE events.room_id = ${literal(String(room_id))} AND ${HISTORY.replace('$false', database.no)} ORDER BY events.stream_ordering`,
    );
    const old = await OldState.open(database, String(room_id));
    yield* rangesOfRoom(old, events, shift, reading);
  }
}

async function* rangesOfRoom(
  old: OldState,
  events: AsyncIterable<Row>,
  shift: number,
  { isHidden, replacedBy }: Reading,
): AsyncGenerator<StateRanges> {
  const there = new Ranges();
  const here = new Ranges();
  const carried = new Map<string, string | undefined>();
  let end = 0;
  for await (const row of events) {
    const position = Number(row.stream_ordering) + shift;
    end = position + 1;
    const key = row.state_key === null ? '' : stateKeyOf(row.type, row.state_key);
    const before = there.get(key);
    const touched = row.state_group === null ? [] : await old.moveTo(Number(row.state_group));
    for (const each of touched) there.move(each, old.get(each), position);
    if (row.state_key === null) continue;
    const replaces = replacedBy(row);
    const follows = [before, here.get(key)].every((each) => replaces === (each ?? ''));
    carried.set(String(row.event_id), follows ? undefined : replaces);
    if (!isHidden(row)) here.move(key, String(row.event_id), position);
  }
  for (const key of new Set([...there.keys(), ...here.keys()])) there.move(key, here.get(key), end);
  there.close();
  here.close();
  for (const [event_id, replaces] of carried) {
    const ranges = there.of.get(event_id) ?? [];
    if (replaces !== undefined) yield { event_id, ranges, replaces };
    else if (!areEqual(ranges, here.of.get(event_id) ?? [])) yield { event_id, ranges };
  }
}

function areEqual(some: readonly Range[], others: readonly Range[]): boolean {
  return (
    some.length === others.length &&
    some.every(({ from, until }, index) => from === others[index]?.from && until === others[index]?.until)
  );
}
