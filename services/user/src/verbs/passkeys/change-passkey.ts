import { refuse } from '@steward/errors';
import { accountAggregate } from '../../core/accounts/account-aggregate.ts';
import { requireActive } from '../../core/accounts/callers-account.ts';
import type { Deps } from '../../core/deps.ts';
import type { Passkey } from '../../core/model/passkey.ts';

/**
 * Changes or removes a passkey of the caller's account, in one commit.
 *
 * @param next the changed passkey; undefined for its removal
 * @throws refuse.notFound when the account has no such passkey
 */
export async function changePasskey(
  deps: Deps,
  userId: string,
  passkeyId: string,
  next: (passkey: Passkey) => Passkey | undefined,
): Promise<void> {
  await accountAggregate.change(deps, userId, (account) => ({
    set: { passkeys: withChanged(requireActive(account).passkeys, passkeyId, next) },
  }));
}

/** @throws refuse.notFound when there is no passkey of the id */
export function withChanged(
  passkeys: readonly Passkey[] = [],
  passkeyId: string,
  next: (passkey: Passkey) => Passkey | undefined,
): readonly Passkey[] {
  if (!passkeys.some(({ id }) => id === passkeyId)) throw refuse.notFound('Passkey not found');
  return passkeys.flatMap((each) => (each.id === passkeyId ? (next(each) ?? []) : each));
}
