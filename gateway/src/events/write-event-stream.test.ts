import type { Message } from '@bufbuild/protobuf';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type StreamedPage, writeEventStream } from './write-event-stream.ts';

const BEAT_MS = 15_000;
const START = ': events after 4\nretry: 2000\nid: 4\n\n';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

let isClogged = false;

/** Writes what `pages` yields, and returns the text that was read so far. */
function write(pages: AsyncIterable<StreamedPage>) {
  const body = writeEventStream(pages, {
    start: 4n,
    retryMs: 2_000,
    writeEvent: (event) => JSON.stringify({ position: Number((event as { position?: bigint }).position) }),
    isClogged: () => isClogged,
  });
  return body;
}

function page(position: number, events: readonly number[] = [position]): StreamedPage {
  const of = (each: number) => ({ position: BigInt(each), type: 'a.b' }) as unknown as Message;
  return { position: BigInt(position), events: events.map(of) } as unknown as StreamedPage;
}

function read(body: ReturnType<typeof write>): () => string {
  let text = '';
  body.on('data', (bytes: Buffer) => {
    text += bytes.toString();
  });
  return () => text;
}

const frame = (position: number) => `id: ${position}\nevent: a.b\ndata: {"position":${position}}\n\n`;

it('says the position, then each event, and ends with the messages', async () => {
  const body = write(
    (async function* () {
      yield page(6, [5, 6]);
      yield page(9, [8]);
    })(),
  );
  const text = read(body);
  await vi.waitFor(() => expect(body.readableEnded).toBe(true));
  expect(text()).toBe(START + frame(5) + frame(6) + frame(8));
});

it('ends without an error when the service fails', async () => {
  const body = write(
    (async function* () {
      yield page(5);
      throw new Error('The service failed');
    })(),
  );
  const text = read(body);
  await vi.waitFor(() => expect(body.readableEnded).toBe(true));
  expect(text()).toBe(START + frame(5));
});

it('writes every 15 seconds, with the position if it has moved without events', async () => {
  let yieldNext = (_: StreamedPage) => {};
  const next = () =>
    new Promise<StreamedPage>((resolve) => {
      yieldNext = resolve;
    });
  const body = write(
    (async function* () {
      for (;;) yield await next();
    })(),
  );
  const text = read(body);
  const after = async (ms: number) => {
    const before = text().length;
    await vi.advanceTimersByTimeAsync(ms);
    return text().slice(before);
  };
  expect(await after(0)).toBe(START);
  expect(await after(2 * BEAT_MS)).toBe(':\n\n:\n\n');
  yieldNext(page(200, []));
  expect(await after(BEAT_MS)).toBe(':\nid: 200\n\n');
  yieldNext(page(201));
  expect(await after(BEAT_MS)).toBe(`${frame(201)}:\n\n`);
  isClogged = true;
  expect(await after(4 * BEAT_MS)).toBe('');
  isClogged = false;
  body.destroy();
});

it('takes no more than its client reads, and nothing after its end', async () => {
  let taken = 0;
  const body = write(
    (async function* () {
      for (
        ;
        taken < 5_000;
        yield page(
          taken,
          Array.from({ length: 1_000 }, (_, index) => taken - 999 + index),
        )
      )
        taken += 1_000;
    })(),
  );
  body.read(1);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(taken).toBe(1_000);
  expect(body.readableLength).toBeLessThan(64 * 1024);
  body.destroy();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(taken).toBe(1_000);
});
