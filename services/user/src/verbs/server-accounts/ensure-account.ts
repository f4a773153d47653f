import { refuse } from '@steward/errors';
import { formatUserId } from '@steward/kernel';
import type { EnsureAccountRequest } from '@steward/proto/steward/user/v1/server_accounts_pb.ts';
import { Conflict } from '@steward/store';
import { adoptAccount } from '../../core/accounts/adopt-account.ts';
import { createAccount } from '../../core/accounts/change-account.ts';
import type { Deps } from '../../core/deps.ts';
import { causedBy } from '../../core/model/cause.ts';

/**
 * Creates an account that acts for the server, unless it exists; an existing account stays unchanged, or is adopted.
 *
 * @throws refuse.unknown if the account belongs to a user; or is deactivated: it leaves each room that it creates
 */
export async function ensureAccount(deps: Deps, { localpart, displayName, avatarUrl }: EnsureAccountRequest) {
  const userId = formatUserId(localpart, deps.serverName);
  const existing = await adoptAccount(deps, userId);
  if (existing && !existing.acts_for_server) {
    throw refuse.unknown(`${userId} is an account that the server did not make; see docs/server-notices.md`);
  }
  if (existing?.deactivated) throw refuse.unknown(`${userId}, which acts for the server, is deactivated`);
  if (existing) return {};
  try {
    const init = {
      localpart,
      displayname: displayName,
      avatar_url: avatarUrl ?? null,
      user_type: null,
      acts_for_server: true,
    };
    const created = { kind: 'event', event: 'created', actor: '', request_id: '' } as const;
    await createAccount(deps, init, causedBy(undefined, null), [created]);
  } catch (error) {
    // A concurrent request created the account first.
    if (!(error instanceof Conflict)) throw error;
  }
  return {};
}
