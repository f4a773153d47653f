import { ROOT_CONTEXT } from '@opentelemetry/api';
import { type SpanExporter, TracerProvider } from '@opentelemetry/sdk-trace';
import { expect, it } from 'vitest';
import { createMetrics } from '../create-metrics.ts';
import { SpanExport } from './span-export.ts';

type Done = Parameters<SpanExporter['export']>[1];

/** An export whose collector answers as `onExport` does; `end` ends that many spans. */
function start(onExport: (done: Done) => void) {
  const lines: unknown[] = [];
  const exporter: SpanExporter = {
    export: (_, done) => onExport(done),
    shutdown: async () => {},
  };
  const metrics = createMetrics({ program: 'test', release: 'test' });
  const warn = (line: unknown) => void lines.push(line);
  const spans = new SpanExport(exporter, { logger: { warn }, meters: metrics });
  const tracer = new TracerProvider({ spanProcessors: [spans] }).getTracer('test');
  const end = (count: number) => {
    for (let i = 0; i < count; i++) tracer.startSpan('work', {}, ROOT_CONTEXT).end();
  };
  const counts = async () =>
    (await metrics.render())
      .match(/^steward_traces_\S+ \d+$/gm)
      ?.map((line) => line.replace('steward_traces_', ''));
  return { spans, lines, end, counts };
}

it('drops and counts what a collector that does not answer leaves, and warns once', async () => {
  const { spans, lines, end, counts } = start(() => {});
  end(4_096 + 10);
  expect(await counts()).toEqual(
    expect.arrayContaining(['exported_total 0', 'dropped_total{reason="queue_full"} 10']),
  );
  expect(lines).toHaveLength(1);
  // The collector never answers; the process ends nevertheless.
  await spans.shutdown();
});

it('counts what the collector refuses, without its answer in the log', async () => {
  const failure = Object.assign(new Error('Unauthorized'), { data: 'the answer of the collector' });
  const { spans, lines, end, counts } = start((done) => done({ code: 1, error: failure }));
  end(600);
  await spans.shutdown();
  expect(await counts()).toContain('dropped_total{reason="not_accepted"} 600');
  expect(lines).toEqual([{ reason: 'not_accepted', cause: 'Unauthorized', spans: 512 }]);
});

it('sends all that waits before its end', async () => {
  const { spans, end, counts } = start((done) => done({ code: 0 }));
  end(700);
  await spans.shutdown();
  expect(await counts()).toContain('exported_total 700');
});
