import type { UserProfileChanged } from '@steward/proto/steward/event/v1/user_pb.ts';
import type { Deps } from '../core/deps.ts';

/** Updates a display name; an older change that arrives late has no effect. */
export async function onProfileChanged(
  deps: Pick<Deps, 'usage'>,
  { userId, displayname }: UserProfileChanged,
  sequence: number,
): Promise<void> {
  await deps.usage.unversioned.updateOne(
    { _id: userId, profile_sequence: { $lt: sequence } },
    {
      $set: {
        displayname: displayname ?? null,
        searched_name: displayname ?? '',
        profile_sequence: sequence,
      },
      $unset: { unnamed: true },
    },
  );
}
