import { isDeepStrictEqual } from 'node:util';
import { accountTopic } from '@steward/events';
import { randomId } from '@steward/kernel';
import { commit, type Owed, retryOnConflict, settleOwed } from '@steward/store';
import type { Deps } from '../deps.ts';
import { type Account, withDerived } from '../model/account.ts';
import type { AccountOwed, Debt } from '../model/account-effect.ts';
import type { Cause } from '../model/cause.ts';
import { settleAccountOwed } from './apply-account-effect.ts';
import { loadAccount } from './load-account.ts';

/** How long a change is decided anew when others change the same account meanwhile. */
const CONFLICT_DEADLINE_MS = 20_000;

/** How long an answer waits for the change's consumers, so that a client reads its own writes. */
const DELIVERY_WAIT_MS = 1_000;

/** A decision about an account: the fields that change, and what the change then owes. */
export interface Decision {
  readonly set: Partial<Account>;
  readonly owed: readonly Debt[];
}

/** Stamps what a change owes with the circumstances of its commit. */
export function stamp(deps: Deps, debts: readonly Debt[], version: number, cause: Cause): readonly Owed[] {
  const at = deps.clock.now();
  return debts.map(
    (debt) => ({ ...debt, id: randomId(deps.random), at, version, ...cause }) satisfies AccountOwed,
  );
}

/**
 * Changes an account in one commit and does what the change owes. `decide` sees the account as it is
 * and may be asked again when somebody else was quicker; a decision that changes nothing is not written.
 *
 * @returns the account as it then is; `undefined` when there is none
 */
export async function changeAccount(
  deps: Deps,
  userId: string,
  cause: Cause,
  decide: (account: Account) => Decision | Promise<Decision>,
): Promise<Account | undefined> {
  const options = {
    deadlineMs: deps.clock.now() + CONFLICT_DEADLINE_MS,
    clock: deps.clock,
    random: deps.random,
  };
  const committed = await retryOnConflict(async () => {
    const account = await loadAccount(deps, userId);
    if (!account) return undefined;
    const { set, owed } = await decide(account);
    const next = withDerived({ ...account, ...set });
    const { _id, version, pending, ...fields } = next;
    const changed = Object.fromEntries(
      Object.entries(fields).filter(
        ([key, value]) => !isDeepStrictEqual(account[key as keyof Account], value),
      ),
    );
    if (Object.keys(changed).length === 0 && owed.length === 0) return account;
    return commit(deps.accounts, account, { set: changed }, stamp(deps, owed, version + 1, cause));
  }, options);
  if (!committed) return undefined;
  deps.bus.wake(accountTopic(userId));
  return settle(deps, committed);
}

/** Does what a committed change owes, and waits a little for those who are to learn of it. */
export async function settle(deps: Deps, account: Account): Promise<Account> {
  if (!account.pending?.length) return account;
  const settled = await settleOwed(deps.accounts, account, (owed, document) =>
    settleAccountOwed(deps, owed, document),
  );
  await deps.relay.delivered(account._id, DELIVERY_WAIT_MS);
  return settled;
}
