import type { DescMethod } from '@bufbuild/protobuf';
import {
  Code,
  ConnectError,
  type Interceptor,
  type StreamRequest,
  type UnaryRequest,
} from '@connectrpc/connect';
import { methodRules } from '../method-rules.ts';

/** A call that has ended. */
export interface ObservedCall {
  readonly request: UnaryRequest | StreamRequest;
  /** The Connect code, `ok` for success. */
  readonly code: string;
  /** Until the answer; of a stream, until its first message can be read. In milliseconds. */
  readonly durationMs: number;
}

/** The names of codes as the protocol writes them, for example `not_found`. */
const CODES: ReadonlyMap<Code, string> = new Map(
  Object.entries(Code)
    .filter((entry): entry is [string, Code] => typeof entry[1] === 'number')
    .map(([name, code]) => [code, name.replace(/(?<=[a-z])[A-Z]/g, '_$&').toLowerCase()]),
);

/** Tells `onEnd` of each call that has ended. */
export function observeCalls(onEnd: (call: ObservedCall) => void): Interceptor {
  return (next) => async (request) => {
    const start = performance.now();
    try {
      const response = await next(request);
      onEnd({ request, code: 'ok', durationMs: performance.now() - start });
      return response;
    } catch (error) {
      const code = CODES.get(ConnectError.from(error).code) ?? 'unknown';
      onEnd({ request, code, durationMs: performance.now() - start });
      throw error;
    }
  };
}

/**
 * Whether the duration of a call of this method is that of its work. Long polls and streams last as long as their clients want.
 */
export function isMeasuredByWork(method: DescMethod): boolean {
  return method.methodKind === 'unary' && methodRules(method).maxWaitMs === 0;
}
