import type { HandlerContext } from '@connectrpc/connect';
import type { PutAvatarUrlRequest } from '@steward/proto/steward/user/v1/profiles_pb.ts';
import type { Deps } from '../../core/deps.ts';
import { changeProfile } from './change-profile.ts';

/** Changes an avatar (client-plane.md 7.5). */
export function putAvatarUrl(deps: Deps, request: PutAvatarUrlRequest, context: HandlerContext) {
  return changeProfile(deps, request.userId, context, () => ({ avatar_url: request.avatarUrl || null }));
}
