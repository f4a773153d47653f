import { createContextKey, type HandlerContext } from '@connectrpc/connect';
import { type Refusal, toConnectError } from '@steward/errors';

/** The refusal of the first violation that the transcoder found in a request. */
export interface DeferredRefusal extends Refusal {
  /** The top-level key of the violation; absent when the body as a whole is unreadable. */
  readonly field?: string;
}

export const deferredKey = createContextKey<DeferredRefusal | undefined>(undefined, {
  description: 'the refusal that the method is to raise',
});

/** Throws the deferred refusal of the request, if any. */
export function raiseDeferred(context: HandlerContext): void {
  const refusal = context.values.get(deferredKey);
  if (refusal) throw toConnectError(refusal);
}

/**
 * Throws the deferred refusal if it concerns the body as a whole or one of the named fields. A refusal of
 * another field is left to `raiseDeferred`.
 */
export function raiseDeferredOf(context: HandlerContext, ...fields: readonly string[]): void {
  const refusal = context.values.get(deferredKey);
  if (refusal && (refusal.field === undefined || fields.includes(refusal.field)))
    throw toConnectError(refusal);
}

/** As `waiveDeferred`, only for a refusal of one of the named fields, whose values the method does not use. */
export function waiveDeferredOf(context: HandlerContext, ...fields: readonly string[]): void {
  const refusal = context.values.get(deferredKey);
  if (refusal?.field !== undefined && fields.includes(refusal.field)) waiveDeferred(context);
}

/** Answers a request in spite of its deferred refusal, where the documented order of checks ends before it. */
export function waiveDeferred(context: HandlerContext): void {
  context.values.set(deferredKey, undefined);
}
