import type { MessageInitShape } from '@bufbuild/protobuf';
import type { HandlerContext } from '@connectrpc/connect';
import type {
  GetProfileRequest,
  GetProfileResponseSchema,
} from '@steward/proto/steward/user/v1/profiles_pb.ts';
import type { Deps } from '../../core/deps.ts';
import { profileOf } from '../../core/model/profile.ts';
import { accountWithProfile } from './account-with-profile.ts';
import { requireReader } from './require-reader.ts';

/** Returns a user's whole profile (client-plane.md 7.5). */
export async function getProfile(
  deps: Deps,
  request: GetProfileRequest,
  context: HandlerContext,
): Promise<MessageInitShape<typeof GetProfileResponseSchema>> {
  await requireReader(deps, context);
  const account = await accountWithProfile(deps, request.userId);
  const { displayname, avatar_url: avatarUrl } = account;
  return {
    displayname: displayname ?? undefined,
    avatarUrl: avatarUrl ?? undefined,
    content: JSON.stringify(profileOf(account)),
  };
}
