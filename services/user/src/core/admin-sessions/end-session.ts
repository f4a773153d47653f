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
  const session = await adminSessions.findOne({ user_id: userId, id }, { projection: { _id: 1 } });
  if (!session) throw refuse.notFound('Session not found');
  await adminSessions.deleteOne({ _id: session._id });
}
