import { loadConfig } from '@steward/config';
import { toRefusal } from '@steward/errors';
import { createMetrics } from '@steward/telemetry';
import { expect, it, onTestFinished, vi } from 'vitest';
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

const ignore = () => {};

const refusalOf = (open: () => unknown) => {
  try {
    open();
  } catch (error) {
    return toRefusal(error);
  }
  return undefined;
};

it('event streams are limited for each credential and in all, until they end', async () => {
  const { streams, count } = streamsOf({ all: 3, ofCredential: 2 });
  const leave = streams.open('one', ignore, ignore);
  streams.open('one', ignore, ignore);
  expect(refusalOf(() => streams.open('one', ignore, ignore))).toMatchObject({
    status: 429,
    extra: { retry_after_ms: expect.any(Number) as unknown },
  });
  streams.open('other', ignore, ignore);
  expect(refusalOf(() => streams.open('third', ignore, ignore))).toMatchObject({ status: 429 });
  expect(await count()).toBe(3);
  leave();
  leave();
  expect(await count()).toBe(2);
  streams.open('one', ignore, ignore);
  expect(refusalOf(() => streams.open('other', ignore, ignore))).toMatchObject({ status: 429 });
});

it('end when the gateway stops, and none begin then', () => {
  const { streams } = streamsOf({ all: 3, ofCredential: 2 });
  const [open, left] = [vi.fn(), vi.fn()];
  streams.open('one', open, ignore);
  streams.open('one', left, ignore)();
  streams.close();
  expect(open).toHaveBeenCalledOnce();
  expect(left).not.toHaveBeenCalled();
  expect(refusalOf(() => streams.open('two', ignore, ignore))).toMatchObject({ status: 503 });
});

it('event streams are cut when their clients do not read the end', () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const { streams } = streamsOf({ all: 3, ofCredential: 2 });
  const [cut, cutAfterEnd] = [vi.fn(), vi.fn()];
  streams.open('one', ignore, cut);
  const leave = streams.open('one', () => leave(), cutAfterEnd);
  streams.close();
  expect(cut).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1_000);
  expect(cut).toHaveBeenCalledOnce();
  expect(cutAfterEnd).not.toHaveBeenCalled();
});
