import type { HandlerContext } from '@connectrpc/connect';
import type { PutRoomKeysRequest } from '@steward/proto/steward/user/v1/key_backups_pb.ts';
import type { Deps } from '../../core/deps.ts';
import { putIntoBackup, sentKeysOf } from './put-into-backup.ts';

/** Puts keys of one room into the current backup. */
export function putRoomKeys(deps: Deps, request: PutRoomKeysRequest, context: HandlerContext) {
  return putIntoBackup(deps, context, request.version, sentKeysOf(request.roomId, request.sessions));
}
