import type { Interceptor, StreamRequest, UnaryRequest } from '@connectrpc/connect';
import { toConnectError } from '@steward/errors';
import { Refusal } from '@steward/proto/steward/http/v1/annotations_pb.ts';
import { type DeferredRefusal, deferredKey } from '../deferred.ts';
import { headers } from '../headers.ts';
import { methodRules } from '../method-rules.ts';

/**
 * Refuses a request in which the transcoder found a violation. A method that declares to raise the refusal
 * itself, at its own place in the order of checks, receives it with the call; when it answers without having
 * raised or waived it, the answer is replaced by the refusal, because a request with a violation must not succeed by
 * oversight.
 */
export const defer: Interceptor = (next) => {
  const refuse = async (request: UnaryRequest | StreamRequest, text: string) => {
    const refusal = JSON.parse(decodeURIComponent(text)) as DeferredRefusal;
    if (methodRules(request.method).refusal !== Refusal.BY_HANDLER) throw toConnectError(refusal);
    request.contextValues.set(deferredKey, refusal);
    const response = await next(request);
    if (response.stream) return { ...response, message: refuseMessages(response.message, refusal) };
    if (request.contextValues.get(deferredKey) === undefined) return response;
    throw toConnectError(refusal);
  };
  return (request) => {
    const text = request.header.get(headers.deferredRefusal);
    return text === null ? next(request) : refuse(request, text);
  };
};

/** Runs the handler of a stream up to its first message, or to its end, and refuses there. */
// biome-ignore lint/correctness/useYield: nothing may pass
async function* refuseMessages<T>(messages: AsyncIterable<T>, refusal: DeferredRefusal): AsyncGenerator<T> {
  for await (const _ of messages) break;
  throw toConnectError(refusal);
}
