import type { HandlerContext } from '@connectrpc/connect';
import { recordCall, reportEvent } from '@steward/audit';
import { AdminSessionEndedSchema } from '@steward/proto/steward/feed/v1/accounts_pb.ts';
import type { EndOwnAdminSessionRequest } from '@steward/proto/steward/user/v1/admin_sessions_pb.ts';
import { endSession } from '../../core/admin-sessions/end-session.ts';
import type { Deps } from '../../core/deps.ts';
import { provedCaller } from './proved-caller.ts';

/** Ends an administrator session of the caller's account. */
export async function endOwnAdminSession(
  deps: Deps,
  request: EndOwnAdminSessionRequest,
  context: HandlerContext,
) {
  const account = await provedCaller(deps, context);
  await recordCall(context);
  await endSession(deps, account, request.sessionId);
  reportEvent(context, AdminSessionEndedSchema, { userId: account._id });
  return {};
}
