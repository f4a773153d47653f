import type { MessageInitShape } from '@bufbuild/protobuf';
import type { HandlerContext } from '@connectrpc/connect';
import type { GetKeysRequest, GetKeysResponseSchema } from '@steward/proto/steward/user/v1/key_backups_pb.ts';
import { requester } from '@steward/rpc';
import type { Deps } from '../../core/deps.ts';
import { existingKeyBackup } from './existing-key-backup.ts';
import { readBackedUpKeys } from './read-backed-up-keys.ts';

/** Returns all keys in a backup (client-plane.md 12). */
export async function getKeys(
  deps: Deps,
  { version }: GetKeysRequest,
  context: HandlerContext,
): Promise<MessageInitShape<typeof GetKeysResponseSchema>> {
  const backup = await existingKeyBackup(deps, requester(context).userId, version);
  const rooms = await readBackedUpKeys(deps, { user_id: backup.user_id, version: backup.version });
  const entries = [...rooms].map(
    ([roomId, sessions]) => [roomId, { sessions: Object.fromEntries(sessions) }] as const,
  );
  return { rooms: Object.fromEntries(entries) };
}
