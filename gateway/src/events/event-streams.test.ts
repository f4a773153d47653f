import { loadConfig } from '@steward/config';
import { toRefusal } from '@steward/errors';
import { createMetrics } from '@steward/telemetry';
import { expect, it, vi } from 'vitest';
import { EventStreams } from './event-streams.ts';

const { admission } = loadConfig({ env: {} });

function streamsOf(limits: { readonly all: number; readonly ofCredential: number }) {
  const metrics = createMetrics({ program: 'steward', release: '1.0.0' });
  const streams = new EventStreams(
    { ...admission, max_event_streams: limits.all, max_event_streams_per_credential: limits.ofCredential },
    metrics,
  );
  return {
    streams,
    count: async () => Number(/^steward_http_event_streams (\d+)$/m.exec(await metrics.render())?.[1]),
  };
}

const refusalOf = (open: () => unknown) => {
  try {
    open();
  } catch (error) {
    return toRefusal(error);
  }
  return undefined;
};

it('are limited for each credential and in all, until they end', async () => {
  const { streams, count } = streamsOf({ all: 3, ofCredential: 2 });
  const leave = streams.open('one', () => {});
  streams.open('one', () => {});
  expect(refusalOf(() => streams.open('one', () => {}))).toMatchObject({
    status: 429,
    extra: { retry_after_ms: expect.any(Number) as unknown },
  });
  streams.open('other', () => {});
  expect(refusalOf(() => streams.open('third', () => {}))).toMatchObject({ status: 429 });
  expect(await count()).toBe(3);
  leave();
  leave();
  expect(await count()).toBe(2);
  streams.open('one', () => {});
  expect(refusalOf(() => streams.open('other', () => {}))).toMatchObject({ status: 429 });
});

it('end when the gateway stops, and none begin then', () => {
  const { streams } = streamsOf({ all: 3, ofCredential: 2 });
  const [open, left] = [vi.fn(), vi.fn()];
  streams.open('one', open);
  streams.open('one', left)();
  streams.close();
  expect(open).toHaveBeenCalledOnce();
  expect(left).not.toHaveBeenCalled();
  expect(refusalOf(() => streams.open('two', () => {}))).toMatchObject({ status: 503 });
});
