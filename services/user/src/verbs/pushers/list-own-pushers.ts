import type { HandlerContext } from '@connectrpc/connect';
import { requester } from '@steward/rpc';
import type { Deps } from '../../core/deps.ts';
import { pushersOf } from './pushers-of.ts';

/** Returns the pushers of the caller (client-plane.md 7.6). */
export async function listOwnPushers(deps: Deps, context: HandlerContext) {
  return { pushers: await pushersOf(deps, requester(context).userId) };
}
