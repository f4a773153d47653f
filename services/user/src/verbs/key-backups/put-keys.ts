import type { HandlerContext } from '@connectrpc/connect';
import type { PutKeysRequest } from '@steward/proto/steward/user/v1/key_backups_pb.ts';
import type { Deps } from '../../core/deps.ts';
import { putIntoBackup, sentKeysOf } from './put-into-backup.ts';

/** Puts keys of several rooms into the current backup (client-plane.md 12). */
export function putKeys(deps: Deps, { version, rooms }: PutKeysRequest, context: HandlerContext) {
  const keys = Object.entries(rooms).flatMap(([roomId, { sessions }]) => sentKeysOf(roomId, sessions));
  return putIntoBackup(deps, context, version, keys);
}
