import { type DestinationStream, symbols } from 'pino';
import { type Logger, openLog } from './create-logger.ts';

/** A request in the log. None of its values is secret. At level `debug` it has its path. */
export interface AccessEntry {
  readonly reqId: string;
  /** The trace that the request belongs to, where it has one. */
  readonly traceId?: string | undefined;
  /** The method, in upper case. */
  readonly verb: string;
  /** The template of the route. */
  readonly route: string;
  /** The status of the answer; 499 if the connection closed before its end, 500 if the server failed to send all of it. */
  readonly status: number;
  /** From the request's arrival to the end of the answer, in milliseconds. */
  readonly ms: number;
  /** The size of the answer's body, where it was known before it was sent. */
  readonly bytes?: number | undefined;
  /** The owner of the token, where the request had a valid one. */
  readonly user?: string | undefined;
  /** The client's address. */
  readonly address: string;
  /** The path as it was requested, without secrets; at level `debug` only. */
  readonly url?: string | undefined;
}

/** The log of requests. */
export type AccessLog = Record<'info' | 'warn', (entry: AccessEntry, message: string) => void>;

/**
 * The log of requests, in addition to a log of the process: the same level, name, form and destination. The search for secrets is
 * left out, which would cost more than a small request, because an entry has room for none.
 */
export function createAccessLog(logger: Logger): AccessLog {
  const { [symbols.streamSym]: destination } = logger as unknown as Record<symbol, DestinationStream>;
  return openLog(logger.level, logger.bindings().name, destination as DestinationStream);
}
