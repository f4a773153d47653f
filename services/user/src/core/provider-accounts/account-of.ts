import { refuse } from '@steward/errors';
import { formatUserId } from '@steward/kernel';
import { Conflict } from '@steward/store';
import { accountAggregate } from '../accounts/account-aggregate.ts';
import { changeAccount, createAccount } from '../accounts/change-account.ts';
import { requireMonthlyCapacity } from '../accounts/monthly-limit.ts';
import { holderOfThreepid } from '../accounts/threepid-claims.ts';
import { checkUsername } from '../accounts/username.ts';
import type { Deps } from '../deps.ts';
import type { ProvidedUser } from '../identity-providers/claims.ts';
import type { ProviderSettings } from '../identity-providers/provider-settings.ts';
import type { Account, HeldExternalId } from '../model/account.ts';
import type { Cause } from '../model/cause.ts';
import { toHeldExternalIds } from '../model/external-id.ts';
import { limitIds, limitOfId } from '../model/limited-ids.ts';
import type { ProvidedRights } from '../model/login-token.ts';
import { profileText } from '../model/profile.ts';
import { digestsOf, type ProviderSession } from '../model/provider-session.ts';
import type { RightsLimit } from '../model/rights-limit.ts';
import { canonicalAddress, threepidKey } from '../model/threepid.ts';
import { isServerAccount } from '../server-accounts/server-account.ts';
import { requireSignIn } from '../sessions/require-sign-in.ts';

/** How users of a provider get their accounts. */
type LinkSettings = Pick<ProviderSettings, 'id' | 'create' | 'link_by' | 'update_profile'>;

/** Where a sign-in comes from. */
export interface SignInOrigin {
  /** The address of the client. */
  readonly address: string;
  readonly cause: Cause;
  /** The id of the HTTP request. */
  readonly requestId: string;
}

/** The account of a user of a provider, and what limits the rights of the session. */
export interface ProvidedAccount {
  readonly account: Account;
  readonly limit: RightsLimit;
  /** What the provider says about the user's roles. */
  readonly provided: ProvidedRights;
  /** The session at the provider. */
  readonly session: Partial<ProviderSession>;
}

/**
 * The account of a user of an identity provider: the one with the external id, or one that the settings of the provider permit to link
 * with it, or a new one. Repeating it returns the same account.
 *
 * @throws refuse.forbidden when there is none, or it was deactivated, acts for the server or belongs to another user of the provider;
 * refuse.userLocked, awaitingApproval, monthlyUsersExceeded as at every login; refuse.invalidUsername, refuse.userInUse and limitExceeded when a new one cannot be created
 */
export async function accountOf(
  deps: Deps,
  settings: LinkSettings,
  user: ProvidedUser,
  origin: SignInOrigin,
): Promise<ProvidedAccount> {
  const [external] = toHeldExternalIds([{ authProvider: settings.id, externalId: user.subject }]);
  if (!external) throw new Error('an external id has no stored form');
  const found =
    (await holderOfId(deps, external.key)) ??
    (await idempotently(deps, external, () => link(deps, settings, user, external, origin))) ??
    (await idempotently(deps, external, () => create(deps, settings, user, external, origin)));
  if (!found)
    throw refuse.forbidden(
      'No account of this server belongs to you: ask an administrator of the server for one',
    );
  if (found.deactivated) throw refuse.forbidden('Your account was deactivated');
  await requireSignIn(deps, found);
  const account = settings.update_profile ? await updateProfile(deps, found, user, origin) : found;
  return {
    account,
    limit: limitOfId(account, external.key),
    provided: {
      provider: settings.id,
      roles: user.roles,
      ...(user.groups.length > 0 ? { groups: user.groups } : {}),
      ...(user.secondFactor ? { second_factor: true } : {}),
    },
    session: digestsOf(settings.id, user.session),
  };
}

async function holderOfId(deps: Deps, key: string): Promise<Account | undefined> {
  const holder = await deps.accounts.findOne({ 'external_ids.key': key }, { projection: { _id: 1 } });
  return holder ? accountAggregate.load(deps, holder._id) : undefined;
}

/** Runs a change that gives an account the external id. Of concurrent ones, the first one decides. */
async function idempotently(
  deps: Deps,
  { key }: HeldExternalId,
  change: () => Promise<Account | undefined>,
): Promise<Account | undefined> {
  return deps.externalIdMutex.runExclusive([key], async () => {
    const earlier = await holderOfId(deps, key);
    if (earlier) return earlier;
    try {
      return await change();
    } catch (error) {
      const other = await holderOfId(deps, key);
      if (other) return other;
      throw error instanceof Conflict ? refuse.userInUse('The user name is taken') : error;
    }
  });
}

/** Links an existing account, if the settings permit it. */
async function link(
  deps: Deps,
  settings: LinkSettings,
  user: ProvidedUser,
  external: HeldExternalId,
  { cause }: SignInOrigin,
): Promise<Account | undefined> {
  const known = await linkedBy(deps, settings, user);
  if (!known || !(await accountAggregate.load(deps, known.userId))) return undefined;
  return changeAccount(deps, known.userId, cause, (account) => {
    requireLinkable(deps, settings, account);
    const external_ids = [...account.external_ids, external];
    const limit = known.key === undefined ? null : limitOfId(account, known.key);
    const limits = limitIds(account, { threepids: account.threepids, external_ids }, limit);
    return { set: { external_ids, ...limits }, effects: [] };
  });
}

/** The account that a user names by an address or a localpart; the key of the address. */
async function linkedBy(
  deps: Deps,
  { link_by: by }: LinkSettings,
  { verifiedEmail, localpart }: ProvidedUser,
): Promise<{ readonly userId: string; readonly key?: string } | undefined> {
  if (by === 'verified_email' && verifiedEmail !== undefined) {
    const userId = await holderOfThreepid(deps, 'email', verifiedEmail);
    const key = threepidKey('email', canonicalAddress('email', verifiedEmail));
    return userId === undefined ? undefined : { userId, key };
  }
  if (by !== 'localpart' || localpart === undefined) return undefined;
  return { userId: formatUserId(localpart.toLowerCase(), deps.serverName) };
}

/** @throws refuse.forbidden */
function requireLinkable(deps: Deps, { id }: LinkSettings, account: Account): void {
  if (isServerAccount(deps, account) || account.is_guest)
    throw refuse.forbidden('This account cannot be used with an identity provider');
  if (account.deactivated) throw refuse.forbidden('Your account was deactivated');
  if (account.external_ids.some(({ auth_provider }) => auth_provider === id))
    throw refuse.forbidden('The account belongs to another user of the identity provider');
}

/** Creates an account, if the settings permit it. */
async function create(
  deps: Deps,
  settings: LinkSettings,
  user: ProvidedUser,
  external: HeldExternalId,
  { address, cause, requestId }: SignInOrigin,
): Promise<Account | undefined> {
  if (settings.create === 'off') return undefined;
  const localpart = user.localpart?.toLowerCase();
  if (localpart === undefined)
    throw refuse.invalidUsername('The identity provider does not say which user name you have');
  await checkUsername(deps, localpart);
  await requireMonthlyCapacity(deps);
  deps.limits.registration.take(address);
  try {
    const init = {
      localpart,
      displayname: displayNameOf(user) ?? localpart,
      awaits_approval: settings.create === 'approval',
      external_ids: [external],
    };
    const actor = formatUserId(localpart, deps.serverName);
    const created = { kind: 'event', event: 'created', actor, request_id: requestId } as const;
    return await createAccount(deps, init, cause, [created]);
  } catch (error) {
    deps.limits.registration.giveBack(address);
    throw error;
  }
}

/** Sets the display name that the provider states, if there is one. */
async function updateProfile(
  deps: Deps,
  account: Account,
  user: ProvidedUser,
  { cause }: SignInOrigin,
): Promise<Account> {
  const displayname = displayNameOf(user);
  if (displayname === undefined) return account;
  const changed = await changeAccount(deps, account._id, cause, (current) =>
    current.deactivated || current.displayname === displayname
      ? { set: {}, effects: [] }
      : {
          set: { displayname },
          effects: [
            {
              kind: 'profile_changed',
              roomsUnaware: current.shadow_banned,
              previousAvatar: current.avatar_url,
            },
          ],
        },
  );
  return changed ?? account;
}

function displayNameOf({ displayName }: ProvidedUser): string | undefined {
  return displayName === undefined ? undefined : (profileText(displayName) ?? undefined);
}
