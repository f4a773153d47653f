import type { Message } from '@bufbuild/protobuf';
import { createClient, type Transport } from '@connectrpc/connect';
import type { Scope } from '@steward/proto/steward/http/v1/annotations_pb.ts';
import { AuthorityService } from '@steward/proto/steward/user/v1/authority_pb.ts';
import { type CallerRights, hasScope, type Rights, requireScopes } from './access.ts';
import { callPeer } from './call-peer.ts';
import type { MethodRules } from './method-rules.ts';
import { requestValue } from './request-fields.ts';

/** How many accounts a call to the user service may name. */
const ACCOUNTS_PER_CALL = 1_000;

/** The scopes that a caller needs to act against accounts, or in their name, by user id; accounts without any are left out. */
export type ScopesOver = ReadonlyMap<string, readonly Scope[]>;

/** Knows which accounts have scopes, and which scopes a caller has now. Only the user service decides that. */
export interface Authority {
  /** The scopes over some accounts. */
  scopesOver(userIds: readonly string[]): Promise<ScopesOver>;
  /** The scopes over all accounts that have any. */
  privileged(): Promise<ScopesOver>;
  /**
   * The current rights of a caller who gave an order before, by their name in tasks; none when the account is not active any more,
   * or the automation token was revoked.
   */
  rightsOf(name: string): Promise<Rights>;
}

/**
 * Refuses a caller who would act against an account, or in its name, and does not have every scope that the account has. Accounts
 * of other servers, and unknown ones, have none.
 *
 * @throws refuse.forbidden, which names the scope
 */
export async function requireAuthority(
  authority: Pick<Authority, 'scopesOver'>,
  caller: CallerRights,
  userIds: readonly (string | null | undefined)[],
): Promise<void> {
  if (caller.admin) return;
  const known = new Set(userIds.filter((userId) => typeof userId === 'string' && userId !== ''));
  if (known.size === 0) return;
  for (const scopes of (await authority.scopesOver([...known] as string[])).values())
    requireScopes(caller, scopes, 'account');
}

/** The accounts over which a caller has no authority: orders about a selection leave them out. */
export async function strongerThan(
  authority: Pick<Authority, 'privileged'>,
  caller: Rights,
): Promise<readonly string[]> {
  if (caller.admin) return [];
  const privileged = await authority.privileged();
  return [...privileged]
    .filter(([, scopes]) => !scopes.every((scope) => hasScope(caller, scope)))
    .map(([userId]) => userId);
}

/** The accounts that a request names in the fields that declare authority. */
export function accountsOf(
  { authorityFields }: Pick<MethodRules, 'authorityFields'>,
  message: Message,
): readonly string[] {
  return authorityFields.flatMap((each) => (requestValue(message, each) ?? []) as string | readonly string[]);
}

/** Asks the user service over a transport. When it cannot be reached, callers are refused as unavailable. */
export function authorityThrough(transport: Transport): Authority {
  const client = createClient(AuthorityService, transport);
  return {
    async scopesOver(userIds) {
      const found = new Map<string, readonly Scope[]>();
      for (let from = 0; from < userIds.length; from += ACCOUNTS_PER_CALL) {
        const page = userIds.slice(from, from + ACCOUNTS_PER_CALL);
        const { accounts } = await callPeer(() => client.readAuthority({ userIds: page }));
        for (const { userId, scopes } of accounts) found.set(userId, scopes);
      }
      return found;
    },
    async privileged() {
      const { accounts } = await callPeer(() => client.listPrivileged({}));
      return new Map(accounts.map(({ userId, scopes }) => [userId, scopes]));
    },
    async rightsOf(name) {
      const { admin, scopes } = await callPeer(() => client.readRights({ name }));
      return { admin, scopes };
    },
  };
}
