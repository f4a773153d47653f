import type { HandlerContext } from '@connectrpc/connect';
import type { DeleteProfileFieldRequest } from '@steward/proto/steward/user/v1/profiles_pb.ts';
import type { Deps } from '../../core/deps.ts';
import { requireFieldName, withField } from '../../core/model/profile.ts';
import { changeProfile } from './change-profile.ts';

/** Removes a further field of a profile (client-plane.md 12). */
export function deleteProfileField(
  deps: Deps,
  { userId, field }: DeleteProfileFieldRequest,
  context: HandlerContext,
) {
  requireFieldName(field);
  return changeProfile(deps, userId, context, (account) => withField(account, field, undefined));
}
