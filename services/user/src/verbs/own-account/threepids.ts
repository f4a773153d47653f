import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import { requester } from '@steward/rpc';
import { existingAccount } from '../../core/accounts/local-user.ts';
import { toThreepid } from '../../core/accounts/render-account.ts';
import type { Deps } from '../../core/deps.ts';

/** The caller's own addresses (client-plane.md 7.4). */
export async function listOwnThreepids(deps: Deps, context: HandlerContext) {
  const { threepids } = await existingAccount(deps, requester(context).userId);
  return { threepids: threepids.map(toThreepid) };
}

/**
 * Would remove one of the caller's own addresses.
 *
 * @throws refuse.forbiddenRequest always: administrators alone give addresses and take them
 */
export async function deleteOwnThreepid(): Promise<never> {
  throw refuse.forbiddenRequest('Addresses are changed by the administrators of this server');
}

/**
 * Would add an address, or have one confirmed.
 *
 * @throws refuse.threepidMediumNotSupported always: the server sends neither mail nor text messages
 */
export async function refuseThreepid(): Promise<never> {
  throw refuse.threepidMediumNotSupported('This server confirms no addresses');
}
