import type { HandlerContext } from '@connectrpc/connect';
import type { PutSessionKeyRequest } from '@steward/proto/steward/user/v1/key_backups_pb.ts';
import type { Deps } from '../../core/deps.ts';
import { putIntoBackup } from './put-into-backup.ts';

/** Puts one key into the current backup. */
export function putSessionKey(deps: Deps, request: PutSessionKeyRequest, context: HandlerContext) {
  const { version, roomId, sessionId } = request;
  return putIntoBackup(deps, context, version, [{ roomId, sessionId, session: request }]);
}
