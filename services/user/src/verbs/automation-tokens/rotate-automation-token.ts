import type { MessageInitShape } from '@bufbuild/protobuf';
import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import type {
  RotateAutomationTokenRequest,
  RotateAutomationTokenResponseSchema,
} from '@steward/proto/steward/user/v1/automation_tokens_pb.ts';
import { newAutomationToken, type Rights, requester } from '@steward/rpc';
import { automationTokenAggregate } from '../../core/automation-tokens/automation-token-aggregate.ts';
import { callingToken } from '../../core/automation-tokens/calling-token.ts';
import { existingToken } from '../../core/automation-tokens/existing-token.ts';
import { requireAuthorityOverToken, rightsOfToken } from '../../core/automation-tokens/token-rights.ts';
import type { Deps } from '../../core/deps.ts';
import {
  type AutomationToken,
  isOver,
  MAX_OVERLAP_MS,
  type Secret,
} from '../../core/model/automation-token.ts';
import { tokenDigest } from '../../core/model/token.ts';
import { scopesIn } from '../../core/roles/account-rights.ts';
import { namesOf } from '../../core/roles/read-scopes.ts';
import { toAutomationToken } from './render-automation-token.ts';

/**
 * Gives an automation token a new secret, in one commit. The previous secret works for the overlap, an older one ends. As the
 * caller could use the new secret, a role gives another token from now on no more than what the caller has, too; and an
 * automation token rotates, in addition to itself, only tokens that are accepted no longer and from no other addresses.
 */
export async function rotateAutomationToken(
  deps: Deps,
  { id, overlapMs = 0n }: RotateAutomationTokenRequest,
  context: HandlerContext,
): Promise<MessageInitShape<typeof RotateAutomationTokenResponseSchema>> {
  if (overlapMs > MAX_OVERLAP_MS) throw refuse.invalidParam(`'overlap_ms' must be at most ${MAX_OVERLAP_MS}`);
  const caller = requester(context);
  const secret = newAutomationToken(deps.random);
  const calling = await callingToken(deps, caller);
  const rotated = existingToken(
    (
      await automationTokenAggregate.change(deps, id, async (token) => {
        await requireAuthorityOverToken(deps, caller, token);
        if (calling) requireWithin(calling, token);
        const now = deps.clock.now();
        if (isOver(token, now)) throw refuse.unknown('The automation token has expired');
        const secrets = [
          { digest: tokenDigest(secret), until: null },
          ...keptOf(token, now, Number(overlapMs)),
        ];
        const isOwn = calling?._id === token._id;
        return { set: { secrets, ...(isOwn ? {} : { scopes: limitFor(caller, token) }) } };
      })
    )?.document,
  );
  const rights = await rightsOfToken(deps, rotated);
  return { automationToken: toAutomationToken(rotated, rights, deps.clock.now()), token: secret };
}

/**
 * Refuses a token that would get the secret of one which is accepted longer, or from other addresses.
 *
 * @throws refuse.forbidden
 */
function requireWithin(
  calling: AutomationToken,
  { _id, expires_ts: expires, allowed_addresses }: AutomationToken,
): void {
  if (_id === calling._id) return;
  const isLonger = calling.expires_ts !== null && (expires === null || expires > calling.expires_ts);
  const limits = new Set(calling.allowed_addresses);
  const isWider =
    limits.size > 0 &&
    (allowed_addresses.length === 0 || allowed_addresses.some((each) => !limits.has(each)));
  if (isLonger || isWider)
    throw refuse.forbidden(
      'An automation token cannot rotate a token that is valid longer or from other addresses',
    );
}

/** The current secret, which continues to work together with a new one. */
function keptOf({ secrets }: AutomationToken, now: number, overlapMs: number): readonly Secret[] {
  if (overlapMs === 0) return [];
  return secrets.flatMap(({ digest, until }) => (until === null ? [{ digest, until: now + overlapMs }] : []));
}

/** The names of a token's scopes; with a role: of those that both the token is limited to, and the caller has. */
function limitFor(caller: Rights, { role, scopes }: AutomationToken): AutomationToken['scopes'] {
  if (role === undefined || caller.admin) return scopes;
  const held = namesOf(scopesIn(caller));
  return scopes ? scopes.filter((scope) => held.includes(scope)) : held;
}
