import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import type { SetAccountQuotasRequest } from '@steward/proto/steward/user/v1/quotas_pb.ts';
import { headers, type Rights } from '@steward/rpc';
import { changeAccount } from '../../core/accounts/change-account.ts';
import { existingAccount } from '../../core/accounts/local-user.ts';
import type { Deps } from '../../core/deps.ts';
import { causedBy } from '../../core/model/cause.ts';
import { requireAuthority } from '../../core/roles/account-rights.ts';

/** Sets quotas of an account; they take effect with the account's next request. */
export async function setAccountQuotas(
  deps: Deps,
  { userId, quotas, cleared, requestedBy, requesterScopes }: SetAccountQuotasRequest,
  context: HandlerContext,
) {
  await existingAccount(deps, userId);
  const cause = causedBy({ userId: requestedBy }, context.requestHeader.get(headers.traceparent));
  const rights: Rights = requesterScopes ? { admin: false, scopes: requesterScopes.scopes } : { admin: true };
  const changed = await changeAccount(deps, userId, cause, async (account) => {
    await requireAuthority(deps, rights, account);
    const { quotas: current = {} } = account;
    const kept = Object.entries(current).filter(([kind]) => !cleared.includes(kind));
    return { set: { quotas: { ...Object.fromEntries(kept), ...quotas } }, effects: [] };
  });
  if (!changed) throw refuse.notFound('User not found');
  return {};
}
