import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import type { Planned } from '@steward/plans';
import type { RemoveAccountPasskeyRequest } from '@steward/proto/steward/user/v1/passkeys_pb.ts';
import { headers, requester } from '@steward/rpc';
import { changeAccount, type Decision } from '../../core/accounts/change-account.ts';
import { localUser } from '../../core/accounts/local-user.ts';
import { accountChangePlan } from '../../core/accounts/plan-account-change.ts';
import type { Deps } from '../../core/deps.ts';
import type { Account } from '../../core/model/account.ts';
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
  request: RemoveAccountPasskeyRequest,
  context: HandlerContext,
) {
  const decide = decision(deps, request, context);
  const cause = causedBy(requester(context), context.requestHeader.get(headers.traceparent));
  const changed = await changeAccount(deps, request.userId, cause, decide);
  if (!changed) throw refuse.notFound('User not found');
  return {};
}

/** Plans `removeAccountPasskey`. */
export async function planRemoveAccountPasskey(
  deps: Deps,
  request: RemoveAccountPasskeyRequest,
  context: HandlerContext,
): Promise<Planned> {
  const { userId, passkeyId } = request;
  const decide = decision(deps, request, context);
  const plan = await accountChangePlan(deps, userId, decide, () => ({ passkey: true }));
  if (!plan) throw refuse.notFound('User not found');
  return { ...plan, sample: [...(plan.sample ?? []), { kind: 'passkey', id: passkeyId }] };
}

function decision(
  deps: Deps,
  { userId, passkeyId }: RemoveAccountPasskeyRequest,
  context: HandlerContext,
): (account: Account) => Promise<Decision> {
  localUser(deps, userId);
  const caller = requester(context);
  if (caller.userId === userId) throw refuse.unknown('Remove your own passkeys at me/passkeys');
  return async (account) => {
    await requireAuthority(deps, caller, account);
    return { set: { passkeys: withChanged(account.passkeys, passkeyId, () => undefined) }, effects: [] };
  };
}
