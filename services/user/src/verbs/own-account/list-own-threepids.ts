import type { HandlerContext } from '@connectrpc/connect';
import { requester } from '@steward/rpc';
import { existingAccount } from '../../core/accounts/local-user.ts';
import { toThreepid } from '../../core/accounts/render-account.ts';
import type { Deps } from '../../core/deps.ts';

/** Returns the caller's own addresses (client-plane.md 7.4). */
export async function listOwnThreepids(deps: Deps, context: HandlerContext) {
  const { threepids } = await existingAccount(deps, requester(context).userId);
  return { threepids: threepids.map(toThreepid) };
}
