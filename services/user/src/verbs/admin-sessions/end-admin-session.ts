import type { HandlerContext } from '@connectrpc/connect';
import { recordCall } from '@steward/audit';
import { clearSessionCookie } from '@steward/rpc';
import type { Deps } from '../../core/deps.ts';
import { ownSession } from './own-session.ts';

/** Ends the session of the request, and clears its cookie. */
export async function endAdminSession(deps: Deps, context: HandlerContext) {
  const session = await ownSession(deps, context);
  await recordCall(context);
  await deps.adminSessions.deleteOne({ _id: session._id });
  clearSessionCookie(context.responseHeader);
  return {};
}
