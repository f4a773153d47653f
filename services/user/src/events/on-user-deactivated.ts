import type { UserDeactivated } from '@steward/proto/steward/event/v1/user_pb.ts';
import { type EmptyDeps, emptyAccount } from '../core/accounts/effects/empty-account.ts';
import type { Deps } from '../core/deps.ts';
import { type ForgetDeps, forgetEndedSessions } from '../core/devices/forget-devices.ts';

/**
 * Repeats the clean-up of a deactivation, which the effects of the change have already done: a login in progress in
 * another process may have written documents since.
 */
export async function onUserDeactivated(
  deps: ForgetDeps & EmptyDeps & Pick<Deps, 'accounts'>,
  fact: UserDeactivated,
): Promise<void> {
  const account = await deps.accounts.findOne({ _id: fact.userId });
  if (!account) return;
  await forgetEndedSessions(deps, account);
  await emptyAccount(deps, account);
}
