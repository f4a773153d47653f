import type { ProcessTracing } from './process-tracing.ts';
import type { TracingOptions } from './tracing-options.ts';

/** Starts the tracing of a process, if it has a collector; without one, nothing of OpenTelemetry is loaded. */
export async function openTracing(options: TracingOptions): Promise<ProcessTracing | undefined> {
  const { endpoint } = options.settings;
  if (endpoint === undefined) return undefined;
  const { startTracing } = await import('./start-tracing.ts');
  return startTracing(endpoint, options);
}
