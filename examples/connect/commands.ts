import { setTimeout } from 'node:timers/promises';
import { type DescMessage, type MessageShape, toJsonString } from '@bufbuild/protobuf';
import { createClient, type Transport } from '@connectrpc/connect';
import { read } from './connection.ts';
import { AuditEntrySchema, AuditService } from './gen/steward/moderation/v1/audit_pb.ts';
import {
  GetRoomDeletionResponseSchema,
  RoomDeletionService,
} from './gen/steward/room/v1/room_deletion_pb.ts';
import { AccountService, UserListEntrySchema } from './gen/steward/user/v1/accounts_pb.ts';
import { ConditionService, SuspendResponseSchema } from './gen/steward/user/v1/conditions_pb.ts';

/** The most entries that the server returns in one page of the audit log. */
const MAX_AUDIT_PAGE = 1_000;

const POLL_MS = 500;

/** Prints all accounts, page by page. */
export async function listUsers(transport: Transport, pageSize: number): Promise<void> {
  const accounts = createClient(AccountService, transport);
  for (let from: bigint | undefined; ; ) {
    const filter = { deactivated: true, locked: true, limit: BigInt(pageSize), from };
    const { users, nextToken } = await read(() => accounts.listUsers({ filter }));
    for (const user of users) show(UserListEntrySchema, user);
    if (nextToken === undefined) return;
    from = BigInt(nextToken);
  }
}

/** Suspends an account, or lifts its suspension. */
export async function suspend(transport: Transport, userId: string, lift: boolean): Promise<void> {
  const conditions = createClient(ConditionService, transport);
  show(SuspendResponseSchema, await conditions.suspend({ userId, suspend: !lift }));
}

/** Starts to delete a room, and prints each status of the deletion until its end. */
export async function deleteRoom(transport: Transport, roomId: string): Promise<void> {
  const deletions = createClient(RoomDeletionService, transport);
  // It is not repeated: after `Unavailable`, `listRoomDeletions` says whether the deletion has started.
  const { deleteId } = await deletions.beginRoomDeletion({ roomId });
  for (let shown = ''; shown !== 'complete'; await setTimeout(POLL_MS)) {
    const deletion = await read(() => deletions.getRoomDeletion({ deleteId }));
    if (deletion.status !== shown) show(GetRoomDeletionResponseSchema, deletion);
    shown = deletion.status;
    if (shown === 'failed') throw new Error('The deletion failed');
  }
}

/** Prints the newest entries of the audit log, page by page. */
export async function readAudit(
  transport: Transport,
  actor: string | undefined,
  limit: number,
): Promise<void> {
  const log = createClient(AuditService, transport);
  let from: string | undefined;
  for (let remaining = limit; remaining > 0; ) {
    const request = { actor, from, limit: BigInt(Math.min(remaining, MAX_AUDIT_PAGE)) };
    const page = await read(() => log.listAuditLog(request));
    for (const entry of page.entries) show(AuditEntrySchema, entry);
    remaining -= page.entries.length;
    from = page.nextToken;
    if (from === undefined) return;
  }
}

/** Prints a message as a line of JSON, with the names of the protos. */
function show<Schema extends DescMessage>(schema: Schema, message: MessageShape<Schema>): void {
  console.log(toJsonString(schema, message, { useProtoFieldName: true, alwaysEmitImplicit: true }));
}
