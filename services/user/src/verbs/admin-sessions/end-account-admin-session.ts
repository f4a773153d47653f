import type { HandlerContext } from '@connectrpc/connect';
import type { EndAccountAdminSessionRequest } from '@steward/proto/steward/user/v1/admin_sessions_pb.ts';
import { requester } from '@steward/rpc';
import { existingAccount } from '../../core/accounts/local-user.ts';
import { endSession } from '../../core/admin-sessions/end-session.ts';
import type { Deps } from '../../core/deps.ts';
import { requireAuthority } from '../../core/roles/account-rights.ts';

/**
 * Ends an administrator session of an account.
 *
 * @throws refuse.notFound, or refuse.forbidden when the account has a scope that the caller does not have
 */
export async function endAccountAdminSession(
  deps: Deps,
  { userId, sessionId }: EndAccountAdminSessionRequest,
  context: HandlerContext,
) {
  const account = await existingAccount(deps, userId);
  await requireAuthority(deps, requester(context), account);
  await endSession(deps, account, sessionId);
  return {};
}
