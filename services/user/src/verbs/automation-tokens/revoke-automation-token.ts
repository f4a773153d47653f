import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import type { Planned } from '@steward/plans';
import type { RevokeAutomationTokenRequest } from '@steward/proto/steward/user/v1/automation_tokens_pb.ts';
import { requester } from '@steward/rpc';
import { automationTokenAggregate } from '../../core/automation-tokens/automation-token-aggregate.ts';
import { existingToken } from '../../core/automation-tokens/existing-token.ts';
import { requireAuthorityOverToken } from '../../core/automation-tokens/token-rights.ts';
import type { Deps } from '../../core/deps.ts';

/** Revokes an automation token. */
export async function revokeAutomationToken(
  deps: Deps,
  { id }: RevokeAutomationTokenRequest,
  context: HandlerContext,
) {
  const caller = requester(context);
  const outcome = await automationTokenAggregate.delete(deps, id, async (token) => {
    await requireAuthorityOverToken(deps, caller, token);
    return true;
  });
  if (outcome === 'missing') throw refuse.notFound('Automation token not found');
  return {};
}

/** Plans `revokeAutomationToken`. */
export async function planRevokeAutomationToken(
  deps: Deps,
  { id }: RevokeAutomationTokenRequest,
  context: HandlerContext,
): Promise<Planned> {
  const token = existingToken(await automationTokenAggregate.load(deps, id));
  await requireAuthorityOverToken(deps, requester(context), token);
  return {
    changes: [{ kind: 'automation_tokens', change: 'removed', count: 1 }],
    sample: [{ kind: 'automation_token', id, name: token.name }],
    irreversible: ['secrets'],
    state: [token.version],
  };
}
