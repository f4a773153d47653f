import { Code, ConnectError, type Interceptor } from '@connectrpc/connect';
import { toRefusal } from '@steward/errors';
import { withErrors } from './with-errors.ts';

/**
 * Converts what a handler throws to what its caller may know. Refusals pass; `translate` may convert an error of
 * a library to a refusal. Any other error is a fault of the server: it goes to `onFault` with its cause, and the
 * caller learns only that the server failed.
 */
export function reportFaults(options: {
  readonly translate?: (error: unknown) => unknown;
  readonly onFault: (error: unknown, method: string) => void;
}): Interceptor {
  return (next) => async (request) => {
    const answerable = (thrown: unknown): ConnectError => {
      const error = options.translate?.(thrown) ?? thrown;
      const refusal = toRefusal(error);
      // A stream that its caller aborted is no fault of the server.
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
