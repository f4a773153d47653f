import type { HandlerContext } from '@connectrpc/connect';
import type { PutDisplaynameRequest } from '@steward/proto/steward/user/v1/profiles_pb.ts';
import type { Deps } from '../../core/deps.ts';
import { changeProfile } from './change-profile.ts';

/** Changes a display name (client-plane.md 7.5). */
export function putDisplayname(deps: Deps, request: PutDisplaynameRequest, context: HandlerContext) {
  return changeProfile(deps, request.userId, context, () => ({ displayname: request.displayname || null }));
}
