import { isObject, own } from '@steward/kernel';
import type { Part } from '../../part.ts';
import type { Row } from '../source/database.ts';
import { json, text, textOrNull, whole } from '../source/row.ts';
import { type Context, rowsPart } from './context.ts';

/** The scores that reports may have. */
const MIN_SCORE = -100;
const MAX_SCORE = 0;

/** The numbers of reports have as many digits. */
const DIGITS = 16;

/** Reports of events, rooms and users, under their numbers. */
export function reportParts(context: Context): readonly Part[] {
  const { tables } = context.database;
  const present = ['event_reports', 'user_reports', 'room_reports'].filter((table) => tables.has(table));
  const number = (row: Row) => String(whole(row, 'id')).padStart(DIGITS, '0');
  return [
    rowsPart(context, {
      kind: 'report_numbers',
      table: 'event_reports',
      counted: `(${present.map((table) => `SELECT '${table}' AS kind`).join(' UNION ALL ')}) AS kinds`,
      query: `kind, last FROM (${present.map((table) => `SELECT '${table}' AS kind, MAX(id) AS last FROM ${table}`).join(' UNION ALL ')}) AS kinds WHERE last IS NOT NULL`,
      keyOf: (row) => String(row.kind),
      read: (row) => ({ record: { kind: text(row, 'kind'), last: whole(row, 'last') } }),
    }),
    rowsPart(context, {
      kind: 'user_reports',
      table: 'user_reports',
      query: '* FROM user_reports ORDER BY id',
      keyOf: (row) => `id ${row.id}`,
      read: (row) => ({
        record: {
          id: number(row),
          received_ts: whole(row, 'received_ts'),
          user_id: text(row, 'user_id'),
          target_user_id: text(row, 'target_user_id'),
          reason: textOrNull(row, 'reason') ?? '',
          unfiled: true,
        },
      }),
    }),
    rowsPart(context, {
      kind: 'room_reports',
      table: 'room_reports',
      query: '* FROM room_reports ORDER BY id',
      keyOf: (row) => `id ${row.id}`,
      read: (row) => ({
        record: {
          id: number(row),
          received_ts: whole(row, 'received_ts'),
          user_id: text(row, 'user_id'),
          room_id: text(row, 'room_id'),
          reason: textOrNull(row, 'reason') ?? '',
          unfiled: true,
        },
      }),
    }),
    rowsPart(context, {
      kind: 'reports',
      table: 'event_reports',
      query:
        'event_reports.*, events.sender, rooms.room_id AS known_room FROM event_reports LEFT JOIN events ON events.event_id = event_reports.event_id LEFT JOIN rooms ON rooms.room_id = event_reports.room_id ORDER BY event_reports.id',
      keyOf: (row) => `id ${row.id}`,
      read(row) {
        const content = row.content === null ? {} : json(row, 'content');
        const given = isObject(content) ? own(content, 'score') : undefined;
        const score = Number.isSafeInteger(given) ? (given as number) : undefined;
        const isValid = score === undefined || (score >= MIN_SCORE && score <= MAX_SCORE);
        return {
          losses: isValid ? [] : [`its score ${score} is not from ${MIN_SCORE} to ${MAX_SCORE}`],
          record: {
            id: whole(row, 'id'),
            event_id: text(row, 'event_id'),
            room_id: text(row, 'room_id'),
            user_id: text(row, 'user_id'),
            received_ts: whole(row, 'received_ts'),
            ...(score !== undefined && isValid ? { score } : {}),
            reason: textOrNull(row, 'reason'),
            sender: textOrNull(row, 'sender'),
            room_gone: row.known_room === null,
            unfiled: true,
          },
        };
      },
    }),
  ];
}
