import type { MessageInitShape } from '@bufbuild/protobuf';
import type { HandlerContext } from '@connectrpc/connect';
import type {
  ListAccountAdminSessionsRequest,
  ListAccountAdminSessionsResponseSchema,
} from '@steward/proto/steward/user/v1/admin_sessions_pb.ts';
import { requester } from '@steward/rpc';
import { existingAccount } from '../../core/accounts/local-user.ts';
import { liveSessionsOf } from '../../core/admin-sessions/live-session.ts';
import { renderSession } from '../../core/admin-sessions/render-session.ts';
import type { Deps } from '../../core/deps.ts';

/** Lists the administrator sessions of an account. */
export async function listAccountAdminSessions(
  deps: Deps,
  request: ListAccountAdminSessionsRequest,
  context: HandlerContext,
): Promise<MessageInitShape<typeof ListAccountAdminSessionsResponseSchema>> {
  const { tokenId } = requester(context);
  const sessions = await liveSessionsOf(deps, await existingAccount(deps, request.userId));
  return { sessions: sessions.map((session) => renderSession(deps, session, tokenId)) };
}
