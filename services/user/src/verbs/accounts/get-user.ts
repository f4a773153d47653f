import type { GetUserRequest } from '@steward/proto/steward/user/v1/accounts_pb.ts';
import { existingAccount } from '../../core/accounts/local-user.ts';
import { toUser } from '../../core/accounts/render-account.ts';
import type { Deps } from '../../core/deps.ts';

/** Returns one account (behaviour.md 2.1). */
export async function getUser(deps: Deps, request: GetUserRequest) {
  return { user: toUser(deps, await existingAccount(deps, request.userId)) };
}
