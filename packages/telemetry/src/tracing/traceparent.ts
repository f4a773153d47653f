import type { Random } from '@steward/kernel';

const TRACE_ID_BYTES = 16;
const SPAN_ID_BYTES = 8;

/** The bit of the flags that says that the trace is recorded. */
const SAMPLED = 1;

/** Version, trace, parent and flags of W3C trace context; later versions may append more. */
const TRACEPARENT =
  /^(?<version>(?!ff)[0-9a-f]{2})-(?<trace>(?!0{32})[0-9a-f]{32})-(?<span>(?!0{16})[0-9a-f]{16})-(?<flags>[0-9a-f]{2})(?<more>-.*)?$/;

/** What a W3C trace context names. */
export interface ParsedTraceparent {
  readonly traceId: string;
  readonly spanId: string;
  /** Whether the trace is recorded. */
  readonly sampled: boolean;
}

/** Reads a trace context, of version 00 or a later one; `undefined` when it is not valid. */
export function parseTraceparent(text: string): ParsedTraceparent | undefined {
  const { version, trace, span, flags = '', more } = TRACEPARENT.exec(text)?.groups ?? {};
  if (trace === undefined || span === undefined || (version === '00' && more !== undefined)) return undefined;
  return { traceId: trace, spanId: span, sampled: (Number.parseInt(flags, 16) & SAMPLED) !== 0 };
}

/**
 * The trace context of a request that is not recorded: that of the client, if it is valid, otherwise that of a new trace. It
 * is not sampled, whatever the client says, because services record what is.
 */
export function traceparent(inbound: string | undefined, random: Random): string {
  const sent = inbound === undefined ? undefined : parseTraceparent(inbound);
  if (sent) return `00-${sent.traceId}-${sent.spanId}-00`;
  const ids = random.bytes(TRACE_ID_BYTES + SPAN_ID_BYTES).toString('hex');
  return `00-${ids.slice(0, 2 * TRACE_ID_BYTES)}-${ids.slice(2 * TRACE_ID_BYTES)}-00`;
}
