import { formatUserId } from '@steward/kernel';
import type { Authority, Rights, ScopesOver } from '@steward/rpc';
import { rightsOfToken } from '../automation-tokens/token-rights.ts';
import type { Deps } from '../deps.ts';
import { type Account, flagsOf } from '../model/account.ts';
import { automationTokenName, isOver } from '../model/automation-token.ts';
import { rightsOf, scopesOver } from '../roles/account-rights.ts';

/** What a caller without rights has. */
const NO_RIGHTS: Rights = { admin: false };

/** The fields of an account that say which rights it has, and whether it may use them. */
const RIGHTS = { admin: 1, roles: 1, acts_for_server: 1, deactivated: 1, locked: 1, suspended: 1 } as const;

/** Answers who has which scopes from the accounts themselves. */
export function authorityOf(deps: Deps): Authority {
  return {
    scopesOver: async (userIds) =>
      scopesOf(
        deps,
        await deps.accounts.find({ _id: { $in: [...userIds] } }, { projection: RIGHTS }).toArray(),
      ),
    async privileged() {
      const facets = [...(await deps.accounts.tally())].flatMap(([facet, total]) => {
        const { admin, roles = [] } = flagsOf(facet);
        return total > 0 && (admin || roles.length > 0) ? [facet] : [];
      });
      const $or = [
        { facet: { $in: facets } },
        { _id: formatUserId(deps.settings.noticesLocalpart, deps.serverName) },
      ];
      return scopesOf(deps, await deps.accounts.find({ $or }, { projection: RIGHTS }).toArray());
    },
    rightsOf: (name) => rightsOfCaller(deps, name),
  };
}

async function scopesOf(deps: Deps, accounts: readonly Account[]): Promise<ScopesOver> {
  const found = new Map<string, Awaited<ReturnType<typeof scopesOver>>>();
  for (const account of accounts) {
    const scopes = await scopesOver(deps, account);
    if (scopes.length > 0) found.set(account._id, scopes);
  }
  return found;
}

/** The current rights of a caller, by the name that tasks and the audit log have. */
async function rightsOfCaller(deps: Deps, name: string): Promise<Rights> {
  if (name.startsWith('@')) {
    const account = await deps.accounts.findOne({ _id: name }, { projection: RIGHTS });
    const isShutOut = !account || account.deactivated || account.locked || account.suspended;
    return isShutOut ? NO_RIGHTS : rightsOf(deps, account);
  }
  const id = name.slice(automationTokenName('').length);
  if (name === automationTokenName(id)) {
    const token = await deps.automationTokens.findOne({ _id: id });
    return !token || isOver(token, deps.clock.now()) ? NO_RIGHTS : rightsOfToken(deps, token);
  }
  return { admin: false, scopes: [...(deps.settings.scopesOfClients.get(name) ?? [])] };
}
