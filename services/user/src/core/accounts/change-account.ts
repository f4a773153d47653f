import { isDeepStrictEqual } from 'node:util';
import { accountTopic } from '@steward/events';
import type { NewEffect } from '@steward/service';
import type { Deps } from '../deps.ts';
import { type Account, type NewAccount, newAccount, withDerived } from '../model/account.ts';
import type { AccountEffect, PendingAccountEffect } from '../model/account-effect.ts';
import type { Cause } from '../model/cause.ts';
import { keptProvided, withoutUnlinkedRoles } from '../roles/provided-roles.ts';
import { refuseCredentials, refuseReservedName } from '../server-accounts/server-account.ts';
import { accountAggregate } from './account-aggregate.ts';
import {
  isActiveAdministrator,
  otherAdministratorOrRefuse,
  requireOtherAdministrator,
  rightsKey,
} from './administrators.ts';

/** How long a response waits for the change's consumers, so that a client reads its own writes. */
const DELIVERY_WAIT_MS = 1_000;

/** Removes the tokens of an ended term. */
const SESSIONS_ENDED: AccountEffect = { kind: 'sessions_ended' };

/** A decision about an account: the fields that change, and the effects of the change elsewhere. */
export interface Decision {
  readonly set: Partial<Account>;
  readonly effects: readonly AccountEffect[];
}

/**
 * Changes an account in one commit, and applies its effects. `decide` runs again when a concurrent commit was
 * faster; a decision that changes nothing is not written. A change of the right by which the account acts as others
 * ends the tokens with which it does; one of the external ids takes away the roles that a provider gave which is not linked any more.
 *
 * @returns the changed account; `undefined` when there is none
 * @throws refuse.unknown when the server would have no active administrator afterwards; refuse.forbidden when an account that acts for the
 * server would have a credential or a right
 */
export async function changeAccount(
  deps: Deps,
  userId: string,
  cause: Cause,
  decide: (account: Account) => Decision | Promise<Decision>,
): Promise<Account | undefined> {
  const done = await accountAggregate.change(
    deps,
    userId,
    async (current) => {
      const decision = await decide(current);
      const next = decided(deps, current, decision);
      if (losesAdministrator(deps, current, next)) await requireOtherAdministrator(deps, userId);
      const rights = rightsKey(deps, current);
      const hasTermEnded = rights !== rightsKey(deps, next);
      const terms = {
        ...(hasTermEnded ? { admin_term: (current.admin_term ?? 0) + 1 } : {}),
        ...(hasRole(current) && !hasRole(next) ? { rights_term: (current.rights_term ?? 0) + 1 } : {}),
      };
      const changed = changedFields(current, { ...next, ...terms });
      const effects =
        hasTermEnded && rights !== '' ? [...decision.effects, SESSIONS_ENDED] : decision.effects;
      if (Object.keys(changed).length === 0 && effects.length === 0) return undefined;
      return { set: changed, effects: inContext(deps, effects, current.version + 1, cause) };
    },
    { committed: () => deps.bus.notify(accountTopic(userId)) },
  );
  if (done && done.effects.length > 0) await deps.relay.delivered(userId, DELIVERY_WAIT_MS);
  return done?.document;
}

/** An account now, and as a decision would make it. */
export interface AccountChange {
  readonly current: Account;
  readonly next: Account;
}

/**
 * What `changeAccount` would make of an account, with the same refusals; writes nothing.
 *
 * @returns `undefined` when there is none
 */
export async function planChange(
  deps: Deps,
  userId: string,
  decide: (account: Account) => Decision | Promise<Decision>,
): Promise<AccountChange | undefined> {
  const current = await accountAggregate.load(deps, userId);
  if (!current) return undefined;
  const next = decided(deps, current, await decide(current));
  if (losesAdministrator(deps, current, next)) await otherAdministratorOrRefuse(deps, userId);
  return { current, next };
}

/** The account as a decision makes it, except for terms that end with it. */
function decided(deps: Deps, current: Account, { set }: Decision): Account {
  const wanted = withoutUnlinkedRoles({ ...current, ...set, ...flagOfBridge(deps, current) });
  const next = withDerived({ ...wanted, ...keptProvided(wanted, current) });
  refuseCredentials(next);
  return next;
}

function losesAdministrator(deps: Deps, current: Account, next: Account): boolean {
  return isActiveAdministrator(deps, current) && !isActiveAdministrator(deps, next);
}

/**
 * Creates an account in one commit, and applies its effects, of which `effects` come first. An account for which
 * `init` names no type has the default one.
 *
 * @throws refuse.userInUse for a name that the server uses for itself, unless the account acts for it
 * @throws Conflict when the user id is taken, or an external id belongs to another account
 */
export async function createAccount(
  deps: Deps,
  init: Omit<NewAccount, 'serverName' | 'now' | 'bridged'>,
  cause: Cause,
  effects: readonly AccountEffect[] = [],
): Promise<Account> {
  if (!init.acts_for_server) refuseReservedName(deps, init.localpart);
  const account = newAccount({
    ...init,
    user_type: init.user_type === undefined ? deps.settings.defaultUserType : init.user_type,
    bridged: deps.settings.isBridged?.(init.localpart) ?? false,
    serverName: deps.serverName,
    now: deps.clock.now(),
  });
  const claims = account.threepids.length > 0 ? [{ kind: 'threepids_claimed' } as const] : [];
  const all: readonly AccountEffect[] = [...effects, ...claims, { kind: 'created' }];
  const created = await accountAggregate.create(deps, account, inContext(deps, all, account.version, cause));
  deps.counts.add('registrations');
  await deps.relay.delivered(created._id, DELIVERY_WAIT_MS);
  return created;
}

function hasRole({ admin, roles = [] }: Account): boolean {
  return admin || roles.length > 0;
}

/** The flag of accounts of bridges, where it is another one by the current patterns. */
function flagOfBridge({ settings }: Deps, { _id, bridged = false }: Account): Partial<Account> {
  const isBridged = settings.isBridged?.(_id.slice(1, _id.indexOf(':'))) ?? false;
  return isBridged === bridged ? {} : { bridged: isBridged };
}

function changedFields(current: Account, { _id, version, pending, ...fields }: Account): Partial<Account> {
  return Object.fromEntries(
    Object.entries(fields).filter(([key, value]) => !isDeepStrictEqual(current[key as keyof Account], value)),
  );
}

/** The effects with the context of the commit that they belong to. */
function inContext(
  deps: Deps,
  effects: readonly AccountEffect[],
  version: number,
  cause: Cause,
): readonly NewEffect<PendingAccountEffect>[] {
  const at = deps.clock.now();
  return effects.map((effect) => ({ ...effect, at, version, ...cause }));
}
