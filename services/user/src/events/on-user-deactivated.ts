import type { UserDeactivated } from '@steward/proto/steward/event/v1/user_pb.ts';
import { type EmptyDeps, emptyAccount } from '../core/accounts/effects/empty-account.ts';
import type { Deps } from '../core/deps.ts';
import { type RemovalDeps, removeEndedSessions } from '../core/devices/remove-devices.ts';

/**
 * Repeats the clean-up of a deactivation, which the effects of the change have already done: a login in progress in
 * another process may have written documents since.
 */
export async function onUserDeactivated(
  deps: RemovalDeps & EmptyDeps & Pick<Deps, 'accounts'>,
  fact: UserDeactivated,
): Promise<void> {
  const account = await deps.accounts.findOne({ _id: fact.userId });
  if (!account) return;
  await removeEndedSessions(deps, account);
  await emptyAccount(deps, account);
}
