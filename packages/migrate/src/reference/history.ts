import type { Row, SourceDatabase } from './source/database.ts';
import { flag, jsonObject, whole, wholeOrNull } from './source/row.ts';

/** Which events are part of the history of a room, as SQL. */
export const HISTORY = 'events.outlier = $false AND events.rejection_reason IS NULL';

/** Whether a room has a state, and not of the kind of a state event, as SQL. There is no state of rooms that the server has left. */
const LACKING =
  'CASE WHEN events.state_key IS NOT NULL AND held.event_id IS NULL THEN EXISTS (SELECT 1 FROM current_state_events AS any_state WHERE any_state.room_id = events.room_id) END';

/**
 * The rows of messages that have not the group of the event before them in their room, and of state events whose group follows another
 * one, as SQL. There are none without forks, unless a tool has changed the edges between groups: a comparison of the state decides.
 */
export const FORKED = `(SELECT events.event_id, events.room_id, events.state_key, own.state_group, edges.prev_state_group, LAG(own.state_group) OVER (PARTITION BY events.room_id ORDER BY events.stream_ordering) AS group_before FROM events JOIN event_to_state_groups AS own ON own.event_id = events.event_id LEFT JOIN state_group_edges AS edges ON edges.state_group = own.state_group WHERE ${HISTORY}) AS in_order WHERE CASE WHEN state_key IS NULL THEN state_group ELSE prev_state_group END <> group_before`;

/** The tables without which nothing is known of the state at events, and so of forks. */
export const FORKED_TABLES = [
  'event_to_state_groups',
  'state_groups',
  'state_groups_state',
  'state_group_edges',
  'event_json',
] as const;

/** What the current state of a room has of the kind of an event: the columns and the joins, as SQL; empty where it is not known. */
export function heldState({ tables }: Pick<SourceDatabase, 'tables'>): {
  readonly columns: string;
  readonly joins: string;
} {
  if (!tables.has('current_state_events')) return { columns: '', joins: '' };
  return {
    columns: `, holder.stream_ordering AS holds, ${LACKING} AS is_lacking`,
    joins:
      ' LEFT JOIN current_state_events AS held ON held.room_id = events.room_id AND held.type = events.type AND held.state_key = events.state_key LEFT JOIN events AS holder ON holder.event_id = held.event_id',
  };
}

/** Whether an event is hidden on the old server. */
export function isSoftFailed(row: Row): boolean {
  return jsonObject(row, 'internal_metadata').soft_failed === true;
}

/** Whether the state of the room has an earlier event in place of a state event, or none. */
export function hasLostFork(row: Row): boolean {
  const holds = wholeOrNull(row, 'holds');
  return flag(row, 'is_lacking') || (holds !== null && whole(row, 'stream_ordering') > holds);
}
