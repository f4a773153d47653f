import { refuse } from '@steward/errors';
import type { Deps } from '../deps.ts';
import type { Account } from '../model/account.ts';
import type { AdminSession } from '../model/admin-session.ts';

/**
 * Ends an administrator session of an account.
 *
 * @param id the id by which clients name it
 * @throws refuse.notFound when the account has no such session
 */
export async function endSession(
  deps: Pick<Deps, 'adminSessions'>,
  account: Account,
  id: string,
): Promise<void> {
  const { _id } = await sessionOf(deps, account, id);
  await deps.adminSessions.deleteOne({ _id });
}

/**
 * An administrator session of an account.
 *
 * @param id the id by which clients name it
 * @throws refuse.notFound when the account has no such session
 */
export async function sessionOf(
  { adminSessions }: Pick<Deps, 'adminSessions'>,
  { _id: userId }: Account,
  id: string,
): Promise<Pick<AdminSession, '_id' | 'user_agent'>> {
  const session = await adminSessions.findOne(
    { user_id: userId, id },
    { projection: { _id: 1, user_agent: 1 } },
  );
  if (!session) throw refuse.notFound('Session not found');
  return session;
}
