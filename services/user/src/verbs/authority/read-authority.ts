import { refuse } from '@steward/errors';
import type { ReadAuthorityRequest } from '@steward/proto/steward/user/v1/authority_pb.ts';
import type { ScopesOver } from '@steward/rpc';
import { authorityOf } from '../../core/authority/authority-of.ts';
import type { Deps } from '../../core/deps.ts';

/** The most accounts of one request. */
const MAX_ACCOUNTS = 1_000;

/** Returns the scopes that a caller needs to act against accounts, or in their name, for other services. */
export async function readAuthority(deps: Deps, { userIds }: ReadAuthorityRequest) {
  if (userIds.length > MAX_ACCOUNTS) throw refuse.invalidParam(`At most ${MAX_ACCOUNTS} users may be named`);
  return render(await authorityOf(deps).scopesOver(userIds));
}

/** Returns all accounts over which a caller needs any scope, for other services. */
export async function listPrivileged(deps: Deps) {
  return render(await authorityOf(deps).privileged());
}

function render(found: ScopesOver) {
  return { accounts: [...found].map(([userId, scopes]) => ({ userId, scopes: [...scopes] })) };
}
