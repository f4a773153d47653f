import type { Report } from '@steward/events';
import type { Deps } from '../deps.ts';
import type { Account } from '../model/account.ts';
import type { AccountEffect } from '../model/account-effect.ts';
import { causedBy } from '../model/cause.ts';
import { hasNoCredentials } from '../server-accounts/server-account.ts';
import { changeAccount } from './change-account.ts';

const SESSIONS_ENDED: AccountEffect = { kind: 'sessions_ended' };

/**
 * Returns the account that acts for the server. One without the mark gets it if an earlier release has made it, which shows in that nobody has
 * ever been able to log in to it; or if the configuration gives the account to the server, which ends all that its user could log in with.
 *
 * @returns the account, without the mark if it belongs to a user; `undefined` when there is none
 * @throws refuse.unknown when the configuration gives the server the account of the last active administrator
 */
export async function adoptAccount(deps: Deps, userId: string): Promise<Account | undefined> {
  const account = await deps.accounts.findOne({ _id: userId });
  if (!account || account.acts_for_server) return account ?? undefined;
  const isUsed = await hasSessions(deps, userId);
  return changeAccount(deps, userId, causedBy(undefined, null), (current) => {
    if (current.acts_for_server) return { set: {}, effects: [] };
    if (!isUsed && isUnused(current)) return { set: { acts_for_server: true }, effects: [] };
    if (!deps.settings.adoptsNoticesAccount) return { set: {}, effects: [] };
    return {
      set: {
        acts_for_server: true,
        password_hash: null,
        threepids: [],
        external_ids: [],
        ...(current.passkeys ? { passkeys: [] } : {}),
        ...(current.second_factor ? { second_factor: null } : {}),
        admin: false,
        ...(current.roles ? { roles: [] } : {}),
        sessions: { epoch: current.sessions.epoch + 1, except: null },
      },
      effects: [SESSIONS_ENDED],
    };
  });
}

/** Whether the server has an account, or can make it: nobody else has it. */
export async function hasOwnAccount({ accounts }: Pick<Deps, 'accounts'>, userId: string): Promise<boolean> {
  const account = await accounts.findOne({ _id: userId }, { projection: { acts_for_server: 1 } });
  return !account || account.acts_for_server === true;
}

/** Adopts the account that sends notices when a process starts, and reports one that belongs to a user: an operator decides about it. */
export async function settleSender(deps: Deps, userId: string, report: Report): Promise<void> {
  await adoptAccount(deps, userId);
  if (await hasOwnAccount(deps, userId)) return;
  report('no server notices are sent, because the server did not make the account that would send them', {
    account: userId,
    remedy: 'set notices.localpart or notices.adopt_account, see docs/server-notices.md',
  });
}

/** Whether the document shows no user: nobody could log in, or was seen. */
function isUnused(account: Account): boolean {
  const { is_guest, appservice_id, last_seen_ts } = account;
  return hasNoCredentials(account) && !is_guest && appservice_id === null && last_seen_ts === null;
}

async function hasSessions(
  { devices, tokens, storedSignIns }: Pick<Deps, 'devices' | 'tokens' | 'storedSignIns'>,
  user_id: string,
): Promise<boolean> {
  const found = await Promise.all([
    devices.findOne({ user_id }),
    tokens.findOne({ user_id }),
    storedSignIns.findOne({ user_id }),
  ]);
  return found.some((document) => document !== null);
}
