import type { MessageInitShape } from '@bufbuild/protobuf';
import { refuse } from '@steward/errors';
import type {
  GetProfilesRequest,
  GetProfilesResponseSchema,
} from '@steward/proto/steward/user/v1/profiles_pb.ts';
import type { Deps } from '../../core/deps.ts';

/** The maximum of profiles in one request. */
const MAX_PROFILES = 1_000;

const fields = {
  displayname: 1,
  avatar_url: 1,
  erased: 1,
  deactivated: 1,
  is_guest: 1,
  acts_for_server: 1,
} as const;

/** Returns the profiles of several users, for other services; unknown users are omitted. */
export async function getProfiles(
  deps: Deps,
  { userIds }: GetProfilesRequest,
): Promise<MessageInitShape<typeof GetProfilesResponseSchema>> {
  if (userIds.length > MAX_PROFILES) throw refuse.invalidParam(`At most ${MAX_PROFILES} users may be named`);
  const accounts = await deps.accounts.find({ _id: { $in: userIds } }, { projection: fields }).toArray();
  return {
    profiles: accounts.map(
      ({ _id, displayname, avatar_url, erased, deactivated, is_guest, acts_for_server }) => ({
        userId: _id,
        displayname: displayname ?? undefined,
        avatarUrl: avatar_url ?? undefined,
        erased,
        deactivated,
        guest: is_guest,
        actsForServer: acts_for_server ?? false,
      }),
    ),
  };
}
