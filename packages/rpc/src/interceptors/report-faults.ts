import { Code, ConnectError, type Interceptor } from '@connectrpc/connect';
import { toRefusal } from '@steward/errors';
import { withErrors } from './with-errors.ts';

/**
 * Turns what a handler throws into what its caller may know. Refusals pass; `translate` may turn an
 * error of a library into a refusal; anything else is a fault of ours: it is handed to `onFault`, with
 * its cause, and the caller learns only that the server failed.
 */
export function reportFaults(options: {
  readonly translate?: (error: unknown) => unknown;
  readonly onFault: (error: unknown, method: string) => void;
}): Interceptor {
  return (next) => async (request) => {
    const answerable = (thrown: unknown): ConnectError => {
      const error = options.translate?.(thrown) ?? thrown;
      const refusal = toRefusal(error);
      // A stream that its caller cut off is no fault of ours.
      if (refusal.status === 500 && !(request.stream && request.signal.aborted))
        options.onFault(thrown, `${request.service.typeName}/${request.method.name}`);
      return error instanceof ConnectError
        ? error
        : new ConnectError(refusal.message, Code.Internal, undefined, [], error);
    };
    try {
      const response = await next(request);
      return response.stream ? { ...response, message: withErrors(response.message, answerable) } : response;
    } catch (thrown) {
      throw answerable(thrown);
    }
  };
}
