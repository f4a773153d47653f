import { ConnectError, type Interceptor } from '@connectrpc/connect';
import { type Refusal, toConnectError, toRefusal } from '@steward/errors';
import { headers } from '../headers.ts';
import { traceIdOf } from '../trace-id.ts';
import { withErrors } from './with-errors.ts';

/** A failure of the server, where it arose. */
export interface Fault {
  /** What was thrown, with its cause. */
  readonly error: unknown;
  /** The method, as `service/method`. */
  readonly method: string;
  /** The id of the HTTP request that caused the call; empty where none did. */
  readonly requestId: string;
  /** The id of the trace that the call belongs to, if it has one. */
  readonly traceId: string | undefined;
}

/** The statuses by which the server says that it failed; 502 and 507 say it of others: another server, a full quota. */
const FAULTS: ReadonlySet<number> = new Set([500, 503, 504]);

/** The errors that were reported in this process. */
const reported = new WeakSet<object>();

/**
 * Whether an error tells of a failure of the server that has not been reported: neither in this process, nor in the one that sent
 * it. So each failure is reported once, where it arose.
 */
export function isUnloggedFault(error: unknown, { status }: Pick<Refusal, 'status'>): boolean {
  return FAULTS.has(status) && !chain(error).some((link) => reported.has(link) || isReceived(link));
}

/** Keeps an error from being reported, because what caused it is reported in another way. */
export function markLogged<E extends object>(error: E): E {
  reported.add(error);
  return error;
}

/**
 * Converts what a handler throws to what its caller may know. Refusals pass; `translate` may convert an error of
 * a library to a refusal. Any other error is a fault of the server: the caller learns only that the server failed.
 * Failures of the server go to `onFault` with their cause, except those that another call has reported.
 */
export function reportFaults(options: {
  readonly translate?: (error: unknown) => unknown;
  readonly onFault: (fault: Fault) => void;
}): Interceptor {
  return (next) => async (request) => {
    const answerable = (thrown: unknown): ConnectError => {
      const error = options.translate?.(thrown) ?? thrown;
      const refusal = toRefusal(error);
      const answer = error instanceof ConnectError ? error : toConnectError(refusal, error);
      // A call that its caller ended is not a fault of the server.
      if (isUnloggedFault(error, refusal) && !request.signal.aborted) {
        options.onFault({
          error: thrown,
          method: `${request.service.typeName}/${request.method.name}`,
          requestId: request.header.get(headers.requestId) ?? '',
          traceId: traceIdOf(request.header),
        });
        markLogged(answer);
      }
      return answer;
    };
    try {
      const response = await next(request);
      return response.stream ? { ...response, message: withErrors(response.message, answerable) } : response;
    } catch (thrown) {
      throw answerable(thrown);
    }
  };
}

/** Whether an error was received from another process, whose details are not decoded yet. */
function isReceived(error: object): boolean {
  return error instanceof ConnectError && error.details.some((detail) => 'type' in detail);
}

/** An error and its causes. */
function chain(error: unknown): object[] {
  const links: object[] = [];
  for (let link = error; typeof link === 'object' && link !== null && !links.includes(link); ) {
    links.push(link);
    link = (link as { readonly cause?: unknown }).cause;
  }
  return links;
}
