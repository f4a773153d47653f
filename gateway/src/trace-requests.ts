import type { Span, SpanDescription, Tracing } from '@steward/kernel';
import type { FastifyInstance, FastifyRequest } from 'fastify';
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
  app.addHook('onRequest', (request, _, done) => {
    if (!request.routeOptions.config.alwaysAdmitted) {
      const { traceparent, tracestate } = request.headers;
      const sent = { traceparent: headerValue(traceparent), tracestate: headerValue(tracestate) };
      request.span = tracing.begin(sent, () => describe(request));
      if (request.span) request.traceparent = request.span.context.traceparent;
    }
    done();
  });
  app.addHook('onResponse', ({ span }, { statusCode: status }, done) => {
    if (span) {
      span.set({ 'http.response.status_code': status });
      if (status >= SERVER_ERROR) span.fail(String(status));
      span.end();
    }
    done();
  });
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
