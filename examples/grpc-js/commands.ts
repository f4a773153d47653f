import { setTimeout } from 'node:timers/promises';
import type { Connection } from './connection.ts';

/** The most entries that the server returns in one page of the audit log. */
const MAX_AUDIT_PAGE = 1_000;

const POLL_MS = 500;

/** Prints all accounts, page by page. */
export async function listUsers(connection: Connection, pageSize: number): Promise<void> {
  for (let from: string | undefined; ; ) {
    const { users, next_token } = await connection.call<{
      readonly users: readonly object[];
      readonly next_token?: string;
    }>('steward.user.v1.AccountService/ListUsers', {
      filter: { deactivated: true, locked: true, limit: pageSize, from },
    });
    for (const user of users) show(user);
    if (next_token === undefined) return;
    from = next_token;
  }
}

/** Suspends an account, or lifts its suspension. */
export async function suspend(connection: Connection, user_id: string, lift: boolean): Promise<void> {
  show(await connection.call('steward.user.v1.ConditionService/Suspend', { user_id, suspend: !lift }));
}

/** Starts to delete a room, and prints each status of the deletion until its end. */
export async function deleteRoom(connection: Connection, room_id: string): Promise<void> {
  const service = 'steward.room.v1.RoomDeletionService';
  // It is not repeated: after `UNAVAILABLE`, `ListRoomDeletions` says whether the deletion has started.
  const { delete_id } = await connection.call<{ readonly delete_id: string }>(
    `${service}/BeginRoomDeletion`,
    { room_id },
  );
  for (let shown = ''; shown !== 'complete'; await setTimeout(POLL_MS)) {
    const deletion = await connection.call<{ readonly status: string }>(`${service}/GetRoomDeletion`, {
      delete_id,
    });
    if (deletion.status !== shown) show(deletion);
    shown = deletion.status;
    if (shown === 'failed') throw new Error('The deletion failed');
  }
}

/** Prints the newest entries of the audit log, page by page. */
export async function readAudit(
  connection: Connection,
  actor: string | undefined,
  limit: number,
): Promise<void> {
  let from: string | undefined;
  for (let remaining = limit; remaining > 0; ) {
    const page = await connection.call<{
      readonly entries: readonly object[];
      readonly next_token?: string;
    }>('steward.moderation.v1.AuditService/ListAuditLog', {
      actor,
      from,
      limit: Math.min(remaining, MAX_AUDIT_PAGE),
    });
    for (const entry of page.entries) show(entry);
    remaining -= page.entries.length;
    from = page.next_token;
    if (from === undefined) return;
  }
}

/** Prints a message as a line of JSON. */
function show(message: object): void {
  console.log(JSON.stringify(message));
}
