import { formatUserId } from '@steward/kernel';
import type { EnsureAccountRequest } from '@steward/proto/steward/user/v1/server_accounts_pb.ts';
import { Conflict } from '@steward/store';
import { createAccount } from '../../core/accounts/change-account.ts';
import type { Deps } from '../../core/deps.ts';
import { causedBy } from '../../core/model/cause.ts';

/** Creates an account that acts for the server, unless it exists; an existing account stays unchanged. */
export async function ensureAccount(deps: Deps, { localpart, displayName, avatarUrl }: EnsureAccountRequest) {
  const existing = await deps.accounts.findOne(
    { _id: formatUserId(localpart, deps.serverName) },
    { projection: { _id: 1 } },
  );
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
