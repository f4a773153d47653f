import type { MessageInitShape } from '@bufbuild/protobuf';
import type { HandlerContext } from '@connectrpc/connect';
import { alreadyDone, refuse } from '@steward/errors';
import type {
  CreateAutomationTokenRequest,
  CreateAutomationTokenResponseSchema,
} from '@steward/proto/steward/user/v1/automation_tokens_pb.ts';
import { newAutomationToken, newTimedId, type Requester, repeatableCall, requester } from '@steward/rpc';
import { Conflict } from '@steward/store';
import { readRanges } from '../../core/automation-tokens/address-ranges.ts';
import { automationTokenAggregate } from '../../core/automation-tokens/automation-token-aggregate.ts';
import { callingToken } from '../../core/automation-tokens/calling-token.ts';
import { requireAuthorityOverToken, rightsOfToken } from '../../core/automation-tokens/token-rights.ts';
import type { Deps } from '../../core/deps.ts';
import {
  type AutomationToken,
  MAX_AUTOMATION_TOKENS,
  MAX_LIFETIME_MS,
} from '../../core/model/automation-token.ts';
import { earlier, tokenDigest } from '../../core/model/token.ts';
import { ADMIN_ROLE } from '../../core/roles/built-in-roles.ts';
import { namesOf, readScopes } from '../../core/roles/read-scopes.ts';
import { requireKeptRole } from '../../core/roles/require-kept-role.ts';
import { roleReferences } from '../../core/roles/role-references.ts';
import { toAutomationToken } from './render-automation-token.ts';

/**
 * Makes an automation token with scopes that the caller has. A token that is made with another one is accepted no longer and
 * from no more addresses than that one.
 *
 * @throws refuse.tooLate when the role was deleted during the request; then there is no token
 */
export async function createAutomationToken(
  deps: Deps,
  request: CreateAutomationTokenRequest,
  context: HandlerContext,
): Promise<MessageInitShape<typeof CreateAutomationTokenResponseSchema>> {
  if (!request.name.isWellFormed()) throw refuse.invalidParam("'name' has half of a surrogate pair");
  const caller = requester(context);
  const now = deps.clock.now();
  const grant = await readGrant(deps, request, caller);
  const validity = await readValidity(deps, request, caller, now);
  await requireAuthorityOverToken(
    deps,
    caller,
    grant.role === undefined ? grant : { ...grant, scopes: null },
  );
  // Concurrent requests may exceed the maximum by their number.
  if ((await deps.automationTokens.countDocuments({})) >= MAX_AUTOMATION_TOKENS)
    throw refuse.invalidParam(`A server has at most ${MAX_AUTOMATION_TOKENS} automation tokens`);
  const secret = newAutomationToken(deps.random);
  const token: AutomationToken = {
    _id: newTimedId(deps.random, now, repeatableCall(context)),
    version: 1,
    name: request.name,
    ...grant,
    created_ts: now,
    created_by: caller.owner,
    ...validity,
    secrets: [{ digest: tokenDigest(secret), until: null }],
  };
  await automationTokenAggregate.create(deps, token).catch((error: unknown) => {
    // An earlier attempt of the call has made it, and only that one knew its secret.
    throw error instanceof Conflict ? alreadyDone([token._id]) : error;
  });
  if (grant.role !== undefined) await requireRole(deps, token._id, grant.role);
  return {
    automationToken: toAutomationToken(token, await rightsOfToken(deps, token), now),
    token: secret,
  };
}

/** @throws refuse.missingParam, refuse.invalidParam or refuse.forbidden */
async function readGrant(
  deps: Deps,
  { scopes, role }: CreateAutomationTokenRequest,
  caller: Requester,
): Promise<Pick<AutomationToken, 'role' | 'scopes'>> {
  if (role === undefined) {
    if (scopes.length === 0) throw refuse.missingParam("Either 'scopes' or 'role' is required");
    return { scopes: namesOf(readScopes(scopes)) };
  }
  if (scopes.length > 0) throw refuse.invalidParam("Only one of 'scopes' and 'role' is possible");
  const limit = caller.admin ? null : namesOf(caller.scopes ?? []);
  if (role === ADMIN_ROLE) {
    if (!caller.admin) throw refuse.forbidden(`Only server administrators give the role '${ADMIN_ROLE}'`);
    return { role, scopes: limit };
  }
  const reference = (await roleReferences(deps, [role])).get(role);
  if (reference === undefined) throw refuse.invalidParam(`There is no role '${role}'`);
  return { role: reference, scopes: limit };
}

/** @throws refuse.invalidParam */
async function readValidity(
  deps: Deps,
  { expiresInMs, allowedAddresses }: CreateAutomationTokenRequest,
  caller: Requester,
  now: number,
): Promise<Pick<AutomationToken, 'expires_ts' | 'allowed_addresses'>> {
  if (expiresInMs !== undefined && expiresInMs > MAX_LIFETIME_MS)
    throw refuse.invalidParam(`'expires_in_ms' must be at most ${MAX_LIFETIME_MS}`);
  const expires = expiresInMs === undefined ? null : now + Number(expiresInMs);
  const allowed = readRanges(allowedAddresses);
  const maker = await callingToken(deps, caller);
  if (!maker) return { expires_ts: expires, allowed_addresses: allowed };
  if (maker.allowed_addresses.length > 0 && allowed.length > 0)
    throw refuse.invalidParam(
      "The token gets the allowed addresses of the token that creates it: leave 'allowed_addresses' out",
    );
  return {
    expires_ts: earlier(expires, maker.expires_ts),
    allowed_addresses: allowed.length > 0 ? allowed : maker.allowed_addresses,
  };
}

/** @throws refuse.tooLate when the role of a new token is gone; the token, whose secret was not shown, is then removed */
async function requireRole(deps: Deps, id: string, role: string): Promise<void> {
  try {
    await requireKeptRole(deps, role);
  } catch (error) {
    await automationTokenAggregate.delete(deps, id);
    throw error;
  }
}
