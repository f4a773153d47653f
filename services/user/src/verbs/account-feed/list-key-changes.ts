import type { ListKeyChangesRequest } from '@steward/proto/steward/user/v1/account_feed_pb.ts';
import type { Deps } from '../../core/deps.ts';
import { readKeyChanges } from '../../core/key-changes/key-change-stream.ts';

/** Returns the users whose keys have changed for an account since a position. */
export async function listKeyChanges(deps: Deps, { userId, since }: ListKeyChangesRequest) {
  return { changes: await readKeyChanges(deps, userId, Number(since)) };
}
