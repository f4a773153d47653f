import { hash } from 'node:crypto';
import { isObject, type JsonObject, own, ownString } from '@steward/kernel';
import type { Found, Part } from '../../part.ts';
import { type StateRanges, stateRanges } from '../forks/state-ranges.ts';
import { FORKED, FORKED_TABLES, HISTORY, hasLostFork, heldState, isSoftFailed } from '../history.ts';
import { countOf, literal, type Row } from '../source/database.ts';
import { flag, jsonObject, text, textOrNull, whole, wholeOrNull } from '../source/row.ts';
import { type Context, rowsPart } from './context.ts';

/** The event of a marker of what was fully read, `{"event_id":"…"}`, as SQL that no content makes fail. */
const MARKED = 'substr(room_account_data.content, 14, length(room_account_data.content) - 15)';

/** The table of bans that redact what their users have sent, without redactions of their own. */
const BANS = 'room_ban_redactions';

/** Whether a ban has redacted an event, as SQL. The end moves whenever the user joins again or changes the profile. */
const BANNED =
  'bans.room_id = events.room_id AND bans.user_id = events.sender AND (bans.redact_end_ordering IS NULL OR bans.redact_end_ordering > events.stream_ordering)';

/** The redactions of an event that are part of the history, as SQL: of an event with one the old server shows no ban. */
const REDACTIONS = `SELECT 1 FROM redactions JOIN events AS redaction ON redaction.event_id = redactions.event_id JOIN event_json AS stored ON stored.event_id = redactions.event_id WHERE redactions.redacts = events.event_id AND redaction.room_id = events.room_id AND redaction.outlier = $false AND redaction.rejection_reason IS NULL AND stored.internal_metadata NOT LIKE '%"soft_failed":%true%'`;

/** The ban that has redacted an event, as SQL; null for none. */
const REDACTING_BAN = `(SELECT MIN(bans.redacting_event_id) FROM ${BANS} AS bans WHERE ${BANNED} AND NOT EXISTS (${REDACTIONS}))`;

/** What is said of a state event that has lost a fork. */
const LOST =
  'it is hidden: the state of the room has an earlier event in its place, or none, because the history has forked';

/** How many positions before the highest one are read again: of events whose writes ended after that of later ones. */
const LATE = 10_000;

/** How many state events are read with one query. */
const PAGE = 100;

/** The table of what was sent in the last day, with the ids by which repetitions are recognised. */
const TRANSACTIONS = 'event_txn_id_device_id';

/** Aliases, blocks, rooms, their events, who forgot them, and how far they were read. */
export function roomParts(context: Context): readonly Part[] {
  const { database } = context;
  const by = (...columns: string[]) =>
    `ORDER BY ${columns.map((column) => database.inOrder(column)).join(', ')}`;
  const history = HISTORY.replace('$false', database.no);
  const created = `FROM rooms JOIN events ON events.room_id = rooms.room_id AND events.type = 'm.room.create' AND events.state_key = '' AND ${history} JOIN event_json ON event_json.event_id = events.event_id`;
  // The events that other servers sent for the time before the room was joined have negative numbers.
  const shift = 1 - context.firstPosition;
  /** What is read of events. */
  const eventsWhere = (where: string) => {
    const sent = database.tables.has(TRANSACTIONS)
      ? ` LEFT JOIN ${TRANSACTIONS} AS sent ON sent.event_id = events.event_id`
      : '';
    // Of a room whose history has forked the state is not always the latest event.
    const state = heldState(database);
    const banned = database.tables.has(BANS)
      ? `, ${REDACTING_BAN.replace('$false', database.no)} AS redacted_by`
      : '';
    return database.rows(
      `SELECT events.event_id, events.room_id, events.stream_ordering, events.received_ts, event_json.json, event_json.internal_metadata${sent ? ', sent.user_id, sent.device_id, sent.txn_id' : ''}${state.columns}${banned} FROM events LEFT JOIN event_json ON event_json.event_id = events.event_id${sent}${state.joins} WHERE ${history}${where} ORDER BY events.stream_ordering`,
    );
  };
  return [
    rowsPart(context, {
      kind: 'aliases',
      table: 'room_aliases',
      query: `room_aliases.*, rooms.creator AS room_creator FROM room_aliases LEFT JOIN rooms ON rooms.room_id = room_aliases.room_id ${by('room_alias')}`,
      keyOf: (row) => String(row.room_alias),
      read: (row) => ({
        record: {
          alias: text(row, 'room_alias'),
          room_id: text(row, 'room_id'),
          creator: textOrNull(row, 'creator') ?? text(row, 'room_creator'),
          created_ts: 0,
        },
      }),
    }),
    rowsPart(context, {
      kind: 'room_blocks',
      table: 'blocked_rooms',
      query: `* FROM blocked_rooms ${by('room_id')}`,
      keyOf: (row) => String(row.room_id),
      read: (row) => ({
        record: { room_id: text(row, 'room_id'), user_id: text(row, 'user_id'), blocked_ts: 0 },
      }),
    }),
    rowsPart(context, {
      kind: 'rooms',
      table: 'rooms',
      counted: `(SELECT rooms.room_id ${created}) AS known`,
      query: `rooms.room_id, rooms.is_public, rooms.creator, rooms.room_version, events.sender, events.origin_server_ts, event_json.json ${created} ${by('rooms.room_id')}`,
      keyOf: (row) => String(row.room_id),
      read(row) {
        const content = own(jsonObject(row, 'json'), 'content');
        const version = isObject(content) ? ownString(content, 'room_version') : undefined;
        return {
          record: {
            room_id: text(row, 'room_id'),
            creator: text(row, 'sender'),
            // Rooms of the first version do not say it.
            room_version: textOrNull(row, 'room_version') ?? version ?? '1',
            created_ts: whole(row, 'origin_server_ts'),
            public: flag(row, 'is_public'),
          },
        };
      },
    }),
    {
      kind: 'events',
      table: 'events',
      count: () => countOf(database, `events WHERE ${history}`),
      async *read(seen) {
        if (!seen) {
          for await (const row of eventsWhere('')) yield eventOf(row, shift);
          return;
        }
        const from = seen.highest - LATE;
        if (database.tables.has(BANS)) {
          const range = `events.stream_ordering BETWEEN ${seen.lowest} AND ${from}`;
          for await (const row of eventsWhere(` AND ${range} AND ${redactedSince(from)}`))
            yield eventOf(row, shift);
        }
        for await (const row of eventsWhere(` AND events.stream_ordering > ${from}`))
          yield eventOf(row, shift);
        const earlier = database.rows(
          `SELECT event_id FROM events WHERE ${history} AND stream_ordering < ${seen.lowest} ORDER BY stream_ordering`,
        );
        for await (const { event_id } of earlier)
          yield {
            key: String(event_id),
            problem: 'it precedes what was carried before: only a copy into an empty data directory has it',
          };
      },
    },
    {
      // Of rooms whose history has forked: after the events themselves, because only then all ranges of a room are known.
      kind: 'events',
      table: 'event_to_state_groups',
      count: () =>
        FORKED_TABLES.every((table) => database.tables.has(table))
          ? countOf(database, FORKED.replace('$false', database.no))
          : Promise.resolve(0),
      async *read() {
        const { columns, joins } = heldState(database);
        let page = new Map<string, StateRanges>();
        const read = async function* () {
          if (page.size === 0) return;
          const ids = [...page.keys()].map(literal).join(', ');
          for await (const row of eventsWhere(` AND events.event_id IN (${ids})`))
            yield withRanges(eventOf(row, shift), page);
          page = new Map();
        };
        const found = stateRanges(database, { select: columns, joins }, shift, {
          isHidden: isHiddenHere,
          replacedBy: (row) => replacedHere(row, context.serverName),
        });
        for await (const ranges of found) {
          page.set(ranges.event_id, ranges);
          if (page.size === PAGE) yield* read();
        }
        yield* read();
      },
    },
    rowsPart(context, {
      kind: 'forgotten_rooms',
      table: 'room_memberships',
      counted: 'room_memberships WHERE forgotten = 1',
      query: `latest.user_id, latest.room_id FROM room_memberships AS latest JOIN events ON events.event_id = latest.event_id AND ${history} WHERE latest.forgotten = 1 AND latest.membership IN ('leave', 'ban') AND NOT EXISTS (SELECT 1 FROM room_memberships AS later WHERE later.user_id = latest.user_id AND later.room_id = latest.room_id AND later.event_stream_ordering > latest.event_stream_ordering) AND EXISTS (SELECT 1 FROM users WHERE users.name = latest.user_id) ${by('latest.user_id', 'latest.room_id')}`,
      keyOf: (row) => `${row.user_id} ${row.room_id}`,
      read: (row) => ({ record: { room_id: text(row, 'room_id'), user_id: text(row, 'user_id') } }),
    }),
    rowsPart(context, {
      kind: 'receipts',
      table: 'receipts_linearized',
      query: `receipts_linearized.*, events.stream_ordering AS arrival FROM receipts_linearized LEFT JOIN events ON events.event_id = receipts_linearized.event_id AND ${history} ORDER BY stream_id, ${database.inOrder('receipts_linearized.user_id')}, receipt_type`,
      keyOf: (row) => `${row.user_id} ${row.room_id} ${row.receipt_type}`,
      read(row) {
        if (row.arrival === null) throw new Error(`there is no event ${row.event_id}`);
        const arrival = whole(row, 'arrival') + shift;
        return {
          record: {
            room_id: text(row, 'room_id'),
            user_id: text(row, 'user_id'),
            type: text(row, 'receipt_type'),
            thread_id: textOrNull(row, 'thread_id') ?? '',
            event_id: text(row, 'event_id'),
            arrival,
            ts: Number(own(jsonObject(row, 'data'), 'ts') ?? 0),
            position: Math.max(whole(row, 'stream_id'), 1),
            announced: arrival,
          },
        };
      },
    }),
    rowsPart(context, {
      kind: 'receipts',
      table: 'room_account_data',
      counted: "room_account_data WHERE account_data_type = 'm.fully_read'",
      query: `room_account_data.*, events.event_id AS marked, events.stream_ordering AS arrival, events.received_ts FROM room_account_data LEFT JOIN events ON events.room_id = room_account_data.room_id AND ${history} AND events.event_id = ${MARKED} WHERE account_data_type = 'm.fully_read' ${by('room_account_data.user_id', 'room_account_data.room_id')}`,
      keyOf: (row) => `${row.user_id} ${row.room_id} m.fully_read`,
      read(row) {
        // The marker is account data too; of an event that is not there the account data alone is carried.
        if (row.arrival === null) return undefined;
        const arrival = whole(row, 'arrival') + shift;
        return {
          record: {
            room_id: text(row, 'room_id'),
            user_id: text(row, 'user_id'),
            type: 'm.fully_read',
            thread_id: '',
            event_id: text(row, 'marked'),
            arrival,
            ts: wholeOrNull(row, 'received_ts') ?? 0,
            position: 1,
            announced: arrival,
          },
        };
      },
    }),
    rowsPart(context, {
      kind: 'receipt_positions',
      table: 'receipts_linearized',
      counted: '(SELECT 1 FROM receipts_linearized GROUP BY room_id) AS of_rooms',
      query: `room_id, MAX(stream_id) AS last FROM receipts_linearized GROUP BY room_id ${by('room_id')}`,
      keyOf: (row) => String(row.room_id),
      read: (row) => ({
        record: { room_id: text(row, 'room_id'), version: Math.max(whole(row, 'last'), 1) },
      }),
    }),
  ];
}

/** Whether a ban may have redacted an event since the events up to a position were carried, as SQL. */
function redactedSince(position: number): string {
  const since = `FROM ${BANS} AS bans LEFT JOIN events AS ban ON ban.event_id = bans.redacting_event_id WHERE (ban.stream_ordering > ${position} OR bans.redact_end_ordering > ${position})`;
  return `events.room_id IN (SELECT bans.room_id ${since}) AND EXISTS (SELECT 1 ${since} AND ${BANNED})`;
}

/** Whether an event is hidden here, or not carried. */
function isHiddenHere(row: Row): boolean {
  try {
    return isSoftFailed(row) || hasLostFork(row);
  } catch {
    return true;
  }
}

/** The event that a state event has replaced, empty for none; undefined of one of another server, which does not say it. */
function replacedHere(row: Row, serverName: string): string | undefined {
  try {
    const { unsigned } = jsonObject(row, 'json');
    const replaced = isObject(unsigned) ? ownString(unsigned, 'replaces_state') : undefined;
    return replaced ?? (String(row.sender).endsWith(`:${serverName}`) ? '' : undefined);
  } catch {
    return undefined;
  }
}

/** The same event with the ranges at which it is part of the state, and what it replaced in its branch. */
function withRanges(found: Found, rangesOf: ReadonlyMap<string, StateRanges>): Found {
  if ('problem' in found) return found;
  const { key, record } = found;
  const { ranges = [], replaces } = rangesOf.get(key) ?? {};
  const stored = {
    ...(record.stored as JsonObject),
    in_state: ranges,
    ...(replaces === undefined ? {} : { replaces_in_branch: replaces }),
  };
  return { key, record: { ...record, stored } };
}

/** What is carried of a row of an event. */
function eventOf(row: Row, shift: number): Found {
  const key = String(row.event_id);
  try {
    const event = jsonObject(row, 'json');
    const { unsigned: _, event_id: __, room_id: ___, ...rest } = event;
    const softFailed = isSoftFailed(row);
    const isForked = !softFailed && hasLostFork(row);
    const redactedBy = textOrNull(row, 'redacted_by');
    return {
      key,
      position: whole(row, 'stream_ordering'),
      losses: isForked ? [LOST] : [],
      record: {
        ...rest,
        event_id: text(row, 'event_id'),
        room_id: text(row, 'room_id'),
        received_ts: wholeOrNull(row, 'received_ts'),
        ...(softFailed || isForked ? { soft_failed: true } : {}),
        stored: {
          arrival: whole(row, 'stream_ordering') + shift,
          ...(redactedBy === null ? {} : { redacted_by: redactedBy }),
          ...transactionOf(row, event),
        },
      },
    };
  } catch (error) {
    return { key, problem: (error as Error).message };
  }
}

/** What tells the repetition of the request that sent an event, so that it sends nothing. */
function transactionOf(row: Row, event: JsonObject): JsonObject {
  if (typeof row.txn_id !== 'string') return {};
  const type = text(event, 'type');
  const target = own(event, 'redacts') ?? own(jsonObject(event, 'content'), 'redacts');
  const path =
    type === 'm.room.redaction' && typeof target === 'string'
      ? ['redact', text(row, 'room_id'), target]
      : ['send', text(row, 'room_id'), type];
  const session = JSON.stringify([text(row, 'user_id'), text(row, 'device_id')]);
  const txn = hash('sha256', JSON.stringify([session, path, row.txn_id]), 'base64url');
  return { txn, txn_id: row.txn_id, session };
}
