import type { UserProfileChanged } from '@steward/proto/steward/event/v1/user_pb.ts';
import type { Deps } from '../core/deps.ts';
import { nameFields } from '../core/model/usage.ts';

/** Updates a display name; an older change that arrives late has no effect. */
export async function onProfileChanged(
  deps: Pick<Deps, 'usage'>,
  { userId, displayname }: UserProfileChanged,
  sequence: number,
): Promise<void> {
  // Most users have no media. A usage that is created from now on takes the name from the changed account.
  if (!(await deps.usage.findOne({ _id: userId }, { projection: { _id: 1 } }))) return;
  await deps.usage.unversioned.updateOne(
    { _id: userId, profile_sequence: { $lt: sequence } },
    {
      $set: {
        ...nameFields(displayname ?? null),
        profile_sequence: sequence,
      },
      $unset: { unnamed: true },
    },
  );
}
