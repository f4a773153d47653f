import { type Tracing, withOverrides } from '@steward/kernel';
import { CallHeaders } from './call-headers.ts';
import type { Channel } from './channel.ts';
import { headers } from './headers.ts';
import { describeCalls, endWithCode } from './interceptors/trace-calls.ts';

/**
 * A channel whose unary calls are recorded as spans: below the span that the call's header names, otherwise below the one
 * whose work makes the call. The other process continues the trace. Streams are recorded where they are served.
 */
export function traceChannel(channel: Channel, tracing: Tracing): Channel {
  const describe = describeCalls('client');
  return withOverrides<Channel>(channel, {
    async unary(method, signal, timeoutMs, header, input, hints) {
      const call = new CallHeaders(header);
      const traceparent = call.get(headers.traceparent);
      const description = describe(method);
      const span =
        traceparent === null
          ? tracing.child(description)
          : tracing.follow(description, {
              traceparent,
              tracestate: call.get(headers.tracestate) ?? undefined,
            });
      if (!span) return channel.unary(method, signal, timeoutMs, header, input, hints);
      const { context } = span;
      call.set(headers.traceparent, context.traceparent);
      if (context.tracestate !== undefined) call.set(headers.tracestate, context.tracestate);
      return endWithCode(span, () => channel.unary(method, signal, timeoutMs, call, input, hints));
    },
    async stream(method, signal, timeoutMs, header, input, hints) {
      const context = tracing.current();
      const call = new CallHeaders(header);
      if (context && !call.has(headers.traceparent)) call.set(headers.traceparent, context.traceparent);
      return channel.stream(method, signal, timeoutMs, call, input, hints);
    },
  });
}
