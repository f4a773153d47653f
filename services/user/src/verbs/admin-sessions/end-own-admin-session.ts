import type { HandlerContext } from '@connectrpc/connect';
import { recordCall, reportEvent } from '@steward/audit';
import { AdminSessionEndedSchema } from '@steward/proto/steward/feed/v1/accounts_pb.ts';
import type { EndOwnAdminSessionRequest } from '@steward/proto/steward/user/v1/admin_sessions_pb.ts';
import { requester } from '@steward/rpc';
import { callersAccount } from '../../core/accounts/callers-account.ts';
import { endSession } from '../../core/admin-sessions/end-session.ts';
import type { Deps } from '../../core/deps.ts';

/** Ends an administrator session of the caller's account. */
export async function endOwnAdminSession(
  deps: Deps,
  request: EndOwnAdminSessionRequest,
  context: HandlerContext,
) {
  const account = await callersAccount(deps, requester(context));
  await recordCall(context);
  await endSession(deps, account, request.sessionId);
  reportEvent(context, AdminSessionEndedSchema, { userId: account._id });
  return {};
}
