import type { ListPushersRequest } from '@steward/proto/steward/user/v1/pushers_pb.ts';
import { existingAccount } from '../../core/accounts/local-user.ts';
import type { Deps } from '../../core/deps.ts';
import { pushersOf } from './pushers-of.ts';

/** Returns the pushers of an account, for administrators (behaviour.md 3.1). */
export async function listPushers(deps: Deps, request: ListPushersRequest) {
  await existingAccount(deps, request.userId);
  const pushers = await pushersOf(deps, request.userId);
  return { pushers, total: BigInt(pushers.length) };
}
