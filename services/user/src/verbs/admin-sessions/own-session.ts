import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import { requester } from '@steward/rpc';
import type { Deps } from '../../core/deps.ts';
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
