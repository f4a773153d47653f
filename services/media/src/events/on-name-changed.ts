import type { ReceivedEvent, userDeactivated, userProfileChanged } from '@steward/events';
import type { Deps } from '../core/deps.ts';
import { nameFields } from '../core/model/usage.ts';

/** Updates a display name, which an erasure removes; an older change that arrives late has no effect. */
export async function onNameChanged(
  deps: Pick<Deps, 'usage'>,
  event: ReceivedEvent<typeof userDeactivated | typeof userProfileChanged>,
): Promise<void> {
  if (event.type === 'user.deactivated' && !event.fact.erased) return;
  const { userId } = event.fact;
  const displayname = event.type === 'user.deactivated' ? null : (event.fact.displayname ?? null);
  // Most users have no media. A usage that is created from now on takes the name from the changed account.
  if (!(await deps.usage.findOne({ _id: userId }, { projection: { _id: 1 } }))) return;
  await deps.usage.unversioned.updateOne(
    { _id: userId, profile_sequence: { $lt: event.sequence } },
    {
      $set: { ...nameFields(displayname), profile_sequence: event.sequence },
      $unset: { unnamed: true },
    },
  );
}
