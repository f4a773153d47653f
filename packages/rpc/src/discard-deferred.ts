import type { HandlerContext } from '@connectrpc/connect';
import { deferredKey } from './deferred.ts';

/**
 * Declares that the deferred refusal of the request does not matter for its answer, because nothing of the request is
 * used: a repeated transaction is answered with what the first one came to. Without this the answer is refused.
 */
export function discardDeferred(context: HandlerContext): void {
  context.values.set(deferredKey, undefined);
}
