import { hasAccount, type Requester } from '@steward/rpc';
import type { Deps } from '../deps.ts';
import type { RightsLimit } from '../model/rights-limit.ts';
import { rightsOf } from '../roles/account-rights.ts';
import { limitOf, withinLimit } from '../roles/limited-rights.ts';

type LimitDeps = Pick<Deps, 'accounts' | 'adminSessions' | 'roles' | 'tokens'>;

/** The limit of a caller's credential. */
export async function limitOfCredential(
  { adminSessions, tokens }: Pick<LimitDeps, 'adminSessions' | 'tokens'>,
  { kind, tokenId }: Pick<Requester, 'kind' | 'tokenId'>,
): Promise<RightsLimit> {
  const found =
    kind === 'session'
      ? await adminSessions.findOne({ _id: tokenId }, { projection: { rights_limit: 1 } })
      : await tokens.findOne({ _id: tokenId }, { projection: { rights_limit: 1 } });
  return found?.rights_limit ?? null;
}

/**
 * The limit of a password that a caller sets: that of the caller's credential for their own account, otherwise the rights of the
 * caller, or of the administrator who acts as the caller.
 */
export async function limitOfPassword(
  deps: LimitDeps,
  caller: Requester,
  userId: string,
): Promise<RightsLimit> {
  const { owner } = caller;
  if (!hasAccount(caller)) return limitOf(caller);
  const actsAsOther = owner !== caller.userId;
  if (!actsAsOther && owner !== userId) return limitOf(caller);
  const limit = await limitOfCredential(deps, caller);
  if (!actsAsOther) return limit;
  const account = await deps.accounts.findOne({ _id: owner });
  return account ? limitOf(withinLimit(await rightsOf(deps, account), limit)) : [];
}
