import { headers } from './headers.ts';

/** Where the id of a trace stands in a trace context of version 00. */
const TRACE_ID = [3, 35] as const;

/** The id of the trace that a call belongs to, for the log; `undefined` for a call without one. */
export function traceIdOf(header: Headers): string | undefined {
  return header.get(headers.traceparent)?.slice(...TRACE_ID);
}
