import { Code, ConnectError } from '@connectrpc/connect';

const NEVER_HANDLED: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  // The host name of a stopped instance does not resolve.
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ERR_HTTP2_GOAWAY_SESSION',
  'ERR_HTTP2_INVALID_SESSION',
]);

/** Whether a call certainly did not reach a handler. */
export function neverHandled(error: unknown): boolean {
  if (!(error instanceof ConnectError)) return false;
  return error.rawMessage.includes('REFUSED_STREAM') || codes(error).some((code) => NEVER_HANDLED.has(code));
}

const LOST: ReadonlySet<Code> = new Set([Code.Unavailable, Code.Aborted, Code.Canceled]);

/** Names of connection errors from the operating system and Node; Connect reports most of them as internal. */
const OF_CONNECTION = /^(E[A-Z]+|ERR_(HTTP2|STREAM|SOCKET)_\w+)$/;

/** Whether the connection was lost during the call: an error from the service has headers or details. */
export function isConnectionLost(error: unknown): boolean {
  if (!(error instanceof ConnectError) || error.details.length > 0) return false;
  if (error.metadata.keys().next().done !== true) return false;
  return LOST.has(error.code) || codes(error).some((code) => OF_CONNECTION.test(code));
}

/** The error for the caller when the connection was lost. */
export function connectionLostError(cause: unknown): ConnectError {
  return new ConnectError('The connection to the service was lost', Code.Unavailable, undefined, [], cause);
}

function codes(error: unknown): string[] {
  const found: string[] = [];
  for (
    let cause = error as { code?: unknown; cause?: unknown } | undefined;
    cause;
    cause = cause.cause as never
  ) {
    if (typeof cause.code === 'string') found.push(cause.code);
  }
  return found;
}
