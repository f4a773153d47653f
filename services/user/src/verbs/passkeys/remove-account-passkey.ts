import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import type { RemoveAccountPasskeyRequest } from '@steward/proto/steward/user/v1/passkeys_pb.ts';
import { headers, requester } from '@steward/rpc';
import { changeAccount } from '../../core/accounts/change-account.ts';
import { localUser } from '../../core/accounts/local-user.ts';
import type { Deps } from '../../core/deps.ts';
import { causedBy } from '../../core/model/cause.ts';
import { requireAuthority } from '../../core/roles/account-rights.ts';
import { withChanged } from './change-passkey.ts';

/**
 * Removes a passkey of another account.
 *
 * @throws refuse.unknown for the caller's own account, which needs a step-up; refuse.forbidden when the account has a scope that the caller
 * does not have; refuse.notFound
 */
export async function removeAccountPasskey(
  deps: Deps,
  { userId, passkeyId }: RemoveAccountPasskeyRequest,
  context: HandlerContext,
) {
  localUser(deps, userId);
  const caller = requester(context);
  if (caller.userId === userId) throw refuse.unknown('Remove your own passkeys at me/passkeys');
  const cause = causedBy(caller, context.requestHeader.get(headers.traceparent));
  const changed = await changeAccount(deps, userId, cause, async (account) => {
    await requireAuthority(deps, caller, account);
    return { set: { passkeys: withChanged(account.passkeys, passkeyId, () => undefined) }, effects: [] };
  });
  if (!changed) throw refuse.notFound('User not found');
  return {};
}
