import type { MessageInitShape } from '@bufbuild/protobuf';
import type { HandlerContext } from '@connectrpc/connect';
import { tokenKindOf } from '@steward/audit';
import { refuse } from '@steward/errors';
import type { GetMeResponseSchema } from '@steward/proto/steward/user/v1/roles_pb.ts';
import { hasAccount, type Requester, requester } from '@steward/rpc';
import { callingToken } from '../../core/automation-tokens/calling-token.ts';
import type { Deps } from '../../core/deps.ts';
import type { AutomationToken } from '../../core/model/automation-token.ts';
import { roleNameOf } from '../../core/model/role.ts';
import { type RightsHolder, roleNamesOf, scopesIn } from '../../core/roles/account-rights.ts';
import { namesOf } from '../../core/roles/read-scopes.ts';
import { enrolmentDue } from '../../core/second-factor/requirement.ts';

/** Returns the caller's roles and scopes, and how the caller is authenticated. */
export async function getMe(
  deps: Deps,
  context: HandlerContext,
): Promise<MessageInitShape<typeof GetMeResponseSchema>> {
  const caller = requester(context);
  const { userId, owner, deviceId } = caller;
  return {
    userId,
    ...(hasAccount(caller)
      ? { roles: await roleNamesOf(deps, await accountOf(deps, userId)) }
      : describe(await callingToken(deps, caller))),
    scopes: namesOf(scopesIn(caller)),
    tokenKind: tokenKindOf(caller),
    ...withheldFrom(caller),
    ...(deviceId === undefined ? {} : { deviceId }),
    ...(owner === userId ? {} : { owner }),
    ...(await sessionOf(deps, caller)),
  };
}

/** What the account has and the caller does not. */
function withheldFrom({ withheldScopes = [], suspended }: Requester) {
  if (withheldScopes.length === 0) return {};
  return { withheldScopes: namesOf(withheldScopes), withheldReason: suspended ? 'suspended' : 'credential' };
}

/** The answer for a caller without an account. */
function describe(token: AutomationToken | undefined) {
  if (!token) return {};
  const { name, role, expires_ts: expires } = token;
  return {
    name,
    ...(role === undefined ? {} : { roles: [roleNameOf(role)] }),
    ...(expires === null ? {} : { expiresTs: BigInt(expires) }),
  };
}

/** The administrator session of the caller. */
async function sessionOf(
  deps: Deps,
  { kind, tokenId, provedTs = 0 }: Requester,
): Promise<{ readonly sessionId?: string; readonly provedTs?: bigint; readonly secondFactorDueTs?: bigint }> {
  if (kind !== 'session') return {};
  const session = await deps.adminSessions.findOne({ _id: tokenId });
  const account = session && (await deps.accounts.findOne({ _id: session.user_id }));
  if (!account) throw refuse.unknownToken('Unknown access token');
  const due = enrolmentDue(deps, account, session);
  return {
    sessionId: session.id,
    ...(provedTs === 0 ? {} : { provedTs: BigInt(provedTs) }),
    ...(due === undefined ? {} : { secondFactorDueTs: BigInt(due) }),
  };
}

async function accountOf(deps: Deps, userId: string): Promise<RightsHolder> {
  const account = await deps.accounts.findOne({ _id: userId }, { projection: { admin: 1, roles: 1 } });
  if (!account) throw refuse.unknownToken('Unknown access token');
  return account;
}
