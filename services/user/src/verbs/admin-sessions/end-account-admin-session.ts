import type { HandlerContext } from '@connectrpc/connect';
import type { Planned } from '@steward/plans';
import type { EndAccountAdminSessionRequest } from '@steward/proto/steward/user/v1/admin_sessions_pb.ts';
import { requester } from '@steward/rpc';
import { existingAccount } from '../../core/accounts/local-user.ts';
import { endSession, sessionOf } from '../../core/admin-sessions/end-session.ts';
import type { Deps } from '../../core/deps.ts';
import type { Account } from '../../core/model/account.ts';
import { requireAuthority } from '../../core/roles/account-rights.ts';

/**
 * Ends an administrator session of an account.
 *
 * @throws refuse.notFound, or refuse.forbidden when the account has a scope that the caller does not have
 */
export async function endAccountAdminSession(
  deps: Deps,
  request: EndAccountAdminSessionRequest,
  context: HandlerContext,
) {
  const account = await check(deps, request, context);
  await endSession(deps, account, request.sessionId);
  return {};
}

/** Plans `endAccountAdminSession`. */
export async function planEndAccountAdminSession(
  deps: Deps,
  request: EndAccountAdminSessionRequest,
  context: HandlerContext,
): Promise<Planned> {
  const account = await check(deps, request, context);
  const { sessionId: id } = request;
  const { user_agent: name } = await sessionOf(deps, account, id);
  return {
    changes: [{ kind: 'admin_sessions', change: 'removed', count: 1 }],
    sample: [{ kind: 'admin_session', id, name }],
  };
}

async function check(
  deps: Deps,
  { userId }: EndAccountAdminSessionRequest,
  context: HandlerContext,
): Promise<Account> {
  const account = await existingAccount(deps, userId);
  await requireAuthority(deps, requester(context), account);
  return account;
}
