import type { Interceptor } from '@connectrpc/connect';
import { toConnectError } from '@steward/errors';
import { Refusal } from '@steward/proto/steward/http/v1/annotations_pb.ts';
import { type DeferredRefusal, deferredKey } from '../deferred.ts';
import { headers } from '../headers.ts';
import { methodRules } from '../method-rules.ts';

/**
 * Answers a flaw that the transcoder found, or hands it to a method that declares to answer it at its
 * own place in the order of checks.
 */
export const defer: Interceptor = (next) => async (request) => {
  const text = request.header.get(headers.deferredRefusal);
  if (text !== null) {
    const refusal = JSON.parse(decodeURIComponent(text)) as DeferredRefusal;
    if (methodRules(request.method).refusal !== Refusal.BY_HANDLER) throw toConnectError(refusal);
    request.contextValues.set(deferredKey, refusal);
  }
  return next(request);
};
