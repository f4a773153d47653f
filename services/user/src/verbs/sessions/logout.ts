import type { HandlerContext } from '@connectrpc/connect';
import { accountTopic } from '@steward/events';
import { requester } from '@steward/rpc';
import type { Deps } from '../../core/deps.ts';
import { removeDevices } from '../../core/devices/remove-devices.ts';

/**
 * Ends the session of the calling token, with its device (client-plane.md 7.2). The calling token is removed
 * last, so that a logout interrupted by a crash can be repeated with it.
 */
export async function logout(deps: Deps, context: HandlerContext) {
  const { userId, owner, deviceId, tokenId } = requester(context);
  if (deviceId !== undefined) await removeDevices(deps, userId, [deviceId], tokenId);
  await deps.tokens.deleteOne({ _id: tokenId });
  deps.bus.notify(accountTopic(owner));
  return {};
}
