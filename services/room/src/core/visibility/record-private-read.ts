import type { HandlerContext } from '@connectrpc/connect';
import { recordCall } from '@steward/audit';
import { Scope } from '@steward/proto/steward/http/v1/annotations_pb.ts';
import type { Summary } from '../model/room.ts';

/**
 * Whether not everyone may read the content of a room, by its current state: it is encrypted, or everyone could read it
 * neither without joining it nor by joining it.
 */
export function isPrivate(room: Pick<Summary, 'encryption' | 'history_visibility' | 'join_rules'>): boolean {
  if (room.encryption !== null) return true;
  const visibility = room.history_visibility ?? 'shared';
  return visibility !== 'world_readable' && (room.join_rules !== 'public' || visibility !== 'shared');
}

/**
 * Records that an administrator is about to read the content of a room in the audit log, unless everyone may read it.
 *
 * @param room undefined for a room that no longer exists, whose events remain
 * @param targets ids that the request does not name
 * @throws what `recordCall` throws
 */
export async function recordPrivateRead(
  context: HandlerContext,
  room: Parameters<typeof isPrivate>[0] | undefined,
  targets: readonly string[] = [],
): Promise<void> {
  if (!room || isPrivate(room)) await recordCall(context, { scope: Scope.ROOMS_CONTENT, targets });
}
