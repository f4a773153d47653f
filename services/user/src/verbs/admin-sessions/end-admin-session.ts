import type { HandlerContext } from '@connectrpc/connect';
import { recordCall, reportEvent } from '@steward/audit';
import { AdminSessionEndedSchema } from '@steward/proto/steward/feed/v1/accounts_pb.ts';
import { clearSessionCookie } from '@steward/rpc';
import type { Deps } from '../../core/deps.ts';
import { ownSession } from './own-session.ts';

/** Ends the session of the request, and clears its cookie. */
export async function endAdminSession(deps: Deps, context: HandlerContext) {
  const session = await ownSession(deps, context);
  await recordCall(context);
  await deps.adminSessions.deleteOne({ _id: session._id });
  reportEvent(context, AdminSessionEndedSchema, { userId: session.user_id, sessionId: session._id });
  clearSessionCookie(context.responseHeader);
  return {};
}
