import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import { type Requester, requester } from '@steward/rpc';
import type { Deps } from '../../core/deps.ts';
import type { Account } from '../../core/model/account.ts';
import type { AdminSession } from '../../core/model/admin-session.ts';
import { sessionEnded } from '../../core/sessions/active-session.ts';

/** @throws refuse.notFound for a request with another credential than an administrator session */
export async function ownSession(
  deps: Pick<Deps, 'adminSessions'>,
  context: HandlerContext,
): Promise<AdminSession> {
  const { kind, tokenId } = requester(context);
  if (kind !== 'session') throw refuse.notFound('The request has no administrator session');
  const session = await deps.adminSessions.findOne({ _id: tokenId });
  if (!session) throw sessionEnded();
  return session;
}

/**
 * The account whose own sessions the caller may see and end.
 *
 * @throws refuse.forbidden for a caller without an account, and for one who acts as another user
 */
export async function ownAccount(
  deps: Pick<Deps, 'accounts'>,
  { userId, owner, kind }: Requester,
): Promise<Account> {
  if (kind !== undefined && kind !== 'session') throw refuse.forbidden('You have no account');
  if (userId !== owner) throw refuse.forbidden('You act as another user');
  const account = await deps.accounts.findOne({ _id: userId });
  if (!account) throw sessionEnded();
  return account;
}
