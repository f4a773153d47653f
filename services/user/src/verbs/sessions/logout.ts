import type { HandlerContext } from '@connectrpc/connect';
import { accountTopic } from '@steward/events';
import { headers, requester } from '@steward/rpc';
import { changeAccount } from '../../core/accounts/change-account.ts';
import type { Deps } from '../../core/deps.ts';
import { forgetDevices } from '../../core/devices/forget-devices.ts';
import { causedBy } from '../../core/model/cause.ts';

/**
 * Ends the session of the calling token, with its device (client-plane.md 7.2). The calling token goes
 * last: a logout cut short can be repeated with it.
 */
export async function logout(deps: Deps, context: HandlerContext) {
  const { userId, owner, deviceId, tokenId } = requester(context);
  if (deviceId !== undefined) await forgetDevices(deps, userId, [deviceId], tokenId);
  await deps.tokens.deleteOne({ _id: tokenId });
  deps.bus.wake(accountTopic(owner));
  return {};
}

/**
 * Ends all sessions of the user that the token acts as; and where that is its owner, also the tokens
 * by which the owner acts as others.
 */
export async function logoutAll(deps: Deps, context: HandlerContext) {
  const caller = requester(context);
  const cause = causedBy(caller, context.requestHeader.get(headers.traceparent));
  await changeAccount(deps, caller.userId, cause, (account) => ({
    set: { sessions: { epoch: account.sessions.epoch + 1, except: null } },
    owed: [{ kind: 'sessions_ended' }],
  }));
  return {};
}
