import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import type { GetAvatarUrlRequest } from '@steward/proto/steward/user/v1/profiles_pb.ts';
import type { Deps } from '../../core/deps.ts';
import { accountWithProfile } from './account-with-profile.ts';
import { requireReader } from './require-reader.ts';

/** Returns a user's avatar (client-plane.md 7.5). */
export async function getAvatarUrl(deps: Deps, request: GetAvatarUrlRequest, context: HandlerContext) {
  await requireReader(deps, context);
  const { avatar_url: avatarUrl } = await accountWithProfile(deps, request.userId);
  if (avatarUrl === null) throw refuse.notFound('The user has no avatar');
  return { avatarUrl };
}
