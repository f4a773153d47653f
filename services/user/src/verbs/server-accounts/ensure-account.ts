import { refuse } from '@steward/errors';
import { formatUserId } from '@steward/kernel';
import type { EnsureAccountRequest } from '@steward/proto/steward/user/v1/server_accounts_pb.ts';
import { Conflict } from '@steward/store';
import { createAccount } from '../../core/accounts/change-account.ts';
import type { Deps } from '../../core/deps.ts';
import { causedBy } from '../../core/model/cause.ts';

/**
 * Creates an account that acts for the server, unless it exists; an existing account stays unchanged.
 *
 * @throws refuse.unknown if the account is deactivated: it leaves each room that it creates
 */
export async function ensureAccount(deps: Deps, { localpart, displayName, avatarUrl }: EnsureAccountRequest) {
  const userId = formatUserId(localpart, deps.serverName);
  const existing = await deps.accounts.findOne({ _id: userId }, { projection: { deactivated: 1 } });
  if (existing?.deactivated) throw refuse.unknown(`${userId}, which acts for the server, is deactivated`);
  if (existing) return {};
  try {
    const init = { localpart, displayname: displayName, avatar_url: avatarUrl ?? null, user_type: null };
    const created = { kind: 'event', event: 'created', actor: '', request_id: '' } as const;
    await createAccount(deps, init, causedBy(undefined, null), [created]);
  } catch (error) {
    // A concurrent request created the account first.
    if (!(error instanceof Conflict)) throw error;
  }
  return {};
}
