import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { endWith, type Random, type SpanDescription } from '@steward/kernel';
import { describe, expect, it } from 'vitest';
import { SpanTracing } from './span-tracing.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT = '00f067aa0ba902b7';
const SAMPLED = `00-${TRACE}-${PARENT}-01`;
const UNSAMPLED = `00-${TRACE}-${PARENT}-00`;
const WORK: SpanDescription = { name: 'work', kind: 'internal', attributes: {} };

/** A tracing whose random numbers are this part of their bound, and the spans that have ended. */
function start({ ratio = 1, followCallers = false, chance = 0.5 } = {}) {
  const exporter = new InMemorySpanExporter();
  const provider = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] });
  const random: Random = {
    bytes: (size) => Buffer.alloc(size),
    below: (bound) => Math.floor(chance * bound),
  };
  const sampling = { ratio, followCallers };
  const tracing = new SpanTracing({ tracer: provider.getTracer('test'), sampling, random });
  return { tracing, ended: () => exporter.getFinishedSpans() };
}

describe('a request from outside', () => {
  it.each([
    [0.5, 0.49, true],
    [0.5, 0.5, false],
    [0, 0, false],
    [1, 0.999, true],
  ])('at a ratio of %d and by the chance %d is recorded: %s', (ratio, chance, isRecorded) => {
    const { tracing } = start({ ratio, chance });
    for (const sent of [{}, { traceparent: SAMPLED }, { traceparent: UNSAMPLED }, { traceparent: 'x' }])
      expect(tracing.begin(sent, () => WORK) !== undefined).toBe(isRecorded);
  });

  it('a request from outside is recorded as its caller says, where callers are followed', () => {
    const { tracing } = start({ ratio: 0, followCallers: true });
    expect(tracing.begin({ traceparent: SAMPLED }, () => WORK)).toBeDefined();
    expect(tracing.begin({}, () => WORK)).toBeUndefined();
    const all = start({ ratio: 1, followCallers: true });
    expect(all.tracing.begin({ traceparent: UNSAMPLED }, () => WORK)).toBeUndefined();
  });

  it('continues the trace of its caller', () => {
    const { tracing, ended } = start();
    const span = tracing.begin({ traceparent: UNSAMPLED, tracestate: 'a=1,not valid' }, () => WORK);
    expect(span?.context.traceparent).toMatch(new RegExp(`^00-${TRACE}-(?!${PARENT})[0-9a-f]{16}-01$`));
    expect(span?.context.tracestate).toBe('a=1');
    span?.end();
    expect(ended()).toMatchObject([{ parentSpanContext: { traceId: TRACE, spanId: PARENT } }]);
  });
});

it('follows recorded spans only', () => {
  const { tracing } = start();
  for (const traceparent of ['', 'x', UNSAMPLED])
    expect(tracing.follow(WORK, { traceparent })).toBeUndefined();
  expect(tracing.follow(WORK, { traceparent: SAMPLED })).toBeDefined();
});

it('puts what work begins below its span, also after a pause, and not what is detached', async () => {
  const { tracing, ended } = start();
  const span = tracing.begin({}, () => ({ ...WORK, name: 'outer' }));
  if (!span) throw new Error('not recorded');
  const inner = { ...WORK, name: 'inner' };
  expect(tracing.child(inner)).toBeUndefined();
  await span.run(async () => {
    await Promise.resolve();
    expect(tracing.current()).toEqual(span.context);
    const child = tracing.child(inner);
    if (!child) throw new Error('not recorded');
    await expect(endWith(child, () => Promise.reject(new TypeError('with a secret')))).rejects.toThrow(
      TypeError,
    );
    expect(tracing.detach(() => tracing.current())).toBeUndefined();
    span.end();
    expect(tracing.child(inner)).toBeUndefined();
  });
  const [child] = ended();
  expect(child).toMatchObject({ name: 'inner', attributes: { 'error.type': 'TypeError' }, events: [] });
  expect(JSON.stringify([child?.attributes, child?.status])).not.toContain('secret');
  expect(child?.parentSpanContext?.spanId).toBe(span.context.traceparent.split('-')[2]);
});

it('bounds the spans below one, and says how many it left out', () => {
  const { tracing, ended } = start();
  const span = tracing.begin({}, () => WORK);
  span?.run(() => {
    for (let i = 0; i < 105; i++) tracing.child(WORK)?.end();
  });
  span?.end();
  const spans = ended();
  expect(spans).toHaveLength(101);
  expect(spans.at(-1)?.attributes).toEqual({ 'steward.omitted_spans': 5 });
});
