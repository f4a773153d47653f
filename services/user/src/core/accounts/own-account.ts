import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import { requester } from '@steward/rpc';

/**
 * The caller's user id, which the path must name.
 *
 * @throws refuse.forbidden when the path names another user
 */
export function ownAccount(context: HandlerContext, userId: string): string {
  if (requester(context).userId !== userId) throw refuse.forbidden('This belongs to another user');
  return userId;
}
