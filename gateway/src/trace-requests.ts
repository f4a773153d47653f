import type { Span, SpanDescription, Tracing } from '@steward/kernel';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { headerValue } from './header-value.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The span of a request that is recorded. */
    span: Span | undefined;
  }
}

const SERVER_ERROR = 500;

/**
 * Records requests as spans. They are named after the template of the route, because paths contain ids of users and rooms, and
 * secrets. Probes and scrapes are not recorded.
 */
export function traceRequests(app: FastifyInstance, tracing: Tracing): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (!request.routeOptions.config.alwaysAdmitted) {
      const { traceparent, tracestate } = request.headers;
      const sent = { traceparent: headerValue(traceparent), tracestate: headerValue(tracestate) };
      const span = tracing.begin(sent, () => describe(request));
      if (span) {
        request.span = span;
        request.traceparent = span.context.traceparent;
        // Also emitted when the client disconnects before the end of the answer, other than Fastify's hook.
        reply.raw.once('close', () => end(span, request, reply));
      }
    }
    done();
  });
}

function end(span: Span, { isCutOff }: FastifyRequest, { raw }: FastifyReply): void {
  const { headersSent, statusCode: status } = raw;
  if (headersSent) {
    span.set({ 'http.response.status_code': status });
    if (isCutOff) span.fail('cut_off');
    else if (status >= SERVER_ERROR) span.fail(String(status));
  }
  span.end();
}

function describe({ id, method, protocol, routeOptions: { url: route } }: FastifyRequest): SpanDescription {
  return {
    name: route === undefined ? method : `${method} ${route}`,
    kind: 'server',
    attributes: {
      'http.request.method': method,
      ...(route === undefined ? {} : { 'http.route': route }),
      'url.scheme': protocol,
      'steward.request_id': id,
    },
  };
}
