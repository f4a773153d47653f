import { refuse } from '@steward/errors';
import type { Deps } from '../deps.ts';
import type { Account } from '../model/account.ts';

/**
 * Ends an administrator session of an account.
 *
 * @param id the id by which clients name it
 * @throws refuse.notFound when the account has no such session
 */
export async function endSession(
  { adminSessions }: Pick<Deps, 'adminSessions'>,
  { _id: userId }: Account,
  id: string,
): Promise<void> {
  const { deletedCount } = await adminSessions.deleteOne({ user_id: userId, id });
  if (deletedCount === 0) throw refuse.notFound('Session not found');
}
