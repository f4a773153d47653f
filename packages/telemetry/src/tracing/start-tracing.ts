import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { AlwaysOnSampler, TracerProvider } from '@opentelemetry/sdk-trace';
import { randomId } from '@steward/kernel';
import type { ProcessTracing } from './process-tracing.ts';
import { EXPORT_TIMEOUT_MS, SpanExport } from './span-export.ts';
import { SpanTracing } from './span-tracing.ts';
import type { TracingOptions } from './tracing-options.ts';

/** Starts to record spans and to send them to the collector at an endpoint. */
export function startTracing(endpoint: string, options: TracingOptions): ProcessTracing {
  const { name, serverName, release, settings, random } = options;
  const spans = new SpanExport(
    new OTLPTraceExporter({
      url: endpoint,
      headers: headersOf(settings.headers ?? ''),
      timeoutMillis: EXPORT_TIMEOUT_MS,
    }),
    options,
  );
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      'service.name': name,
      'service.namespace': serverName,
      'service.version': release,
      'service.instance.id': randomId(random),
    }),
    // Only what is to be recorded is begun, see `SpanTracing`.
    sampler: new AlwaysOnSampler(),
    spanProcessors: [spans],
  });
  const tracing = new SpanTracing({
    tracer: provider.getTracer('steward', release),
    sampling: { ratio: settings.ratio, followCallers: settings.follow_callers },
    random,
  });
  return Object.assign(tracing, { close: () => provider.shutdown() });
}

/** The headers of a text with one a line. */
function headersOf(text: string): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const line of text.split('\n')) {
    const colon = line.indexOf(':');
    if (colon > 0) headers[line.slice(0, colon).trim()] = line.slice(colon + 1).trim();
  }
  return headers;
}
