import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import type { GetDisplaynameRequest } from '@steward/proto/steward/user/v1/profiles_pb.ts';
import type { Deps } from '../../core/deps.ts';
import { accountWithProfile } from './account-with-profile.ts';
import { requireReader } from './require-reader.ts';

/** Returns a user's display name (client-plane.md 7.5). */
export async function getDisplayname(deps: Deps, request: GetDisplaynameRequest, context: HandlerContext) {
  await requireReader(deps, context);
  const { displayname } = await accountWithProfile(deps, request.userId);
  if (displayname === null) throw refuse.notFound('The user has no display name');
  return { displayname };
}
