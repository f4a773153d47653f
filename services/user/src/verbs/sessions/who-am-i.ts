import type { HandlerContext } from '@connectrpc/connect';
import { requester } from '@steward/rpc';

/** Returns the identity of the caller (client-plane.md 7.2). */
export function whoAmI(context: HandlerContext) {
  const { userId, guest, deviceId } = requester(context);
  return { userId, isGuest: guest, ...(deviceId === undefined ? {} : { deviceId }) };
}
