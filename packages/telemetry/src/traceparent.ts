import type { Random } from '@steward/kernel';

const TRACE_ID_BYTES = 16;
const SPAN_ID_BYTES = 8;

/** Version, trace, parent and flags of W3C trace context; later versions may append more. */
const TRACEPARENT =
  /^(?<version>(?!ff)[0-9a-f]{2})-(?<context>(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2})(?<more>-.*)?$/;

/**
 * The trace context of a client, if it is valid; otherwise that of a new trace, not sampled. A context of a later
 * version is forwarded in the form of version 00.
 */
export function traceparent(inbound: string | undefined, random: Random): string {
  if (inbound === undefined) return newTrace(random);
  const { version, context, more } = TRACEPARENT.exec(inbound)?.groups ?? {};
  if (context === undefined || (version === '00' && more !== undefined)) return newTrace(random);
  return `00-${context}`;
}

function newTrace(random: Random): string {
  const ids = random.bytes(TRACE_ID_BYTES + SPAN_ID_BYTES).toString('hex');
  return `00-${ids.slice(0, 2 * TRACE_ID_BYTES)}-${ids.slice(2 * TRACE_ID_BYTES)}-00`;
}
