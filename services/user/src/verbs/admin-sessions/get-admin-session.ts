import type { MessageInitShape } from '@bufbuild/protobuf';
import type { HandlerContext } from '@connectrpc/connect';
import type { GetAdminSessionResponseSchema } from '@steward/proto/steward/user/v1/admin_sessions_pb.ts';
import { renderSession } from '../../core/admin-sessions/render-session.ts';
import type { Deps } from '../../core/deps.ts';
import { ownSession } from './own-session.ts';

/** Returns the session of the request. */
export async function getAdminSession(
  deps: Deps,
  context: HandlerContext,
): Promise<MessageInitShape<typeof GetAdminSessionResponseSchema>> {
  const session = await ownSession(deps, context);
  return { session: renderSession(deps, session, session._id), userId: session.user_id };
}
