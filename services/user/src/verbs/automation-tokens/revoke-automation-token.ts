import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import type { RevokeAutomationTokenRequest } from '@steward/proto/steward/user/v1/automation_tokens_pb.ts';
import { requester } from '@steward/rpc';
import { automationTokenAggregate } from '../../core/automation-tokens/automation-token-aggregate.ts';
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
