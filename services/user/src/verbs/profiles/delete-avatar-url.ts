import type { HandlerContext } from '@connectrpc/connect';
import type { DeleteAvatarUrlRequest } from '@steward/proto/steward/user/v1/profiles_pb.ts';
import type { Deps } from '../../core/deps.ts';
import { changeProfile } from './change-profile.ts';

/** Removes an avatar from a profile. */
export function deleteAvatarUrl(deps: Deps, { userId }: DeleteAvatarUrlRequest, context: HandlerContext) {
  return changeProfile(deps, userId, context, () => ({ avatar_url: null }));
}
