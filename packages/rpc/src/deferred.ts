import { createContextKey, type HandlerContext } from '@connectrpc/connect';
import { type Refusal, toConnectError } from '@steward/errors';

/** The first violation of a request that the transcoder found while reading it. */
export interface DeferredRefusal extends Refusal {
  /** The top-level key that is invalid; absent when the body as a whole does not read. */
  readonly field?: string;
}

export const deferredKey = createContextKey<DeferredRefusal | undefined>(undefined, {
  description: 'a violation of the request that is not answered yet',
});

/** Answers the violation of the request, if it has one. */
export function raiseDeferred(context: HandlerContext): void {
  const refusal = context.values.get(deferredKey);
  if (refusal) throw toConnectError(refusal);
}

/**
 * Answers a violation of the body as a whole or of one of the named fields; later fields stay for
 * `raiseDeferred`.
 */
export function raiseDeferredOf(context: HandlerContext, ...fields: readonly string[]): void {
  const refusal = context.values.get(deferredKey);
  if (refusal && (refusal.field === undefined || fields.includes(refusal.field)))
    throw toConnectError(refusal);
}
