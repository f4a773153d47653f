import type { MessageInitShape } from '@bufbuild/protobuf';
import type { HandlerContext } from '@connectrpc/connect';
import type { ListOwnAdminSessionsResponseSchema } from '@steward/proto/steward/user/v1/admin_sessions_pb.ts';
import { requester } from '@steward/rpc';
import { liveSessionsOf } from '../../core/admin-sessions/live-session.ts';
import { renderSession } from '../../core/admin-sessions/render-session.ts';
import type { Deps } from '../../core/deps.ts';
import { provedCaller } from './proved-caller.ts';

/** Lists the administrator sessions of the caller's account. */
export async function listOwnAdminSessions(
  deps: Deps,
  context: HandlerContext,
): Promise<MessageInitShape<typeof ListOwnAdminSessionsResponseSchema>> {
  const { tokenId } = requester(context);
  const sessions = await liveSessionsOf(deps, await provedCaller(deps, context));
  return { sessions: sessions.map((session) => renderSession(deps, session, tokenId)) };
}
