import type { HandlerContext } from '@connectrpc/connect';
import type { DeleteDisplaynameRequest } from '@steward/proto/steward/user/v1/profiles_pb.ts';
import type { Deps } from '../../core/deps.ts';
import { changeProfile } from './change-profile.ts';

/** Removes a display name from a profile. */
export function deleteDisplayname(deps: Deps, { userId }: DeleteDisplaynameRequest, context: HandlerContext) {
  return changeProfile(deps, userId, context, () => ({ displayname: null }));
}
