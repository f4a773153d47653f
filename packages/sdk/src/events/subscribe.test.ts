import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createClient } from '../create-client.ts';
import type { StewardEvent, SubscribeOptions, SubscribeParams } from './subscribe.ts';

/** A connection: what it sends before it ends, or stays open. */
type Connection = { readonly text: string; readonly open?: boolean } | Response | Error;

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

/** Subscribes to a server with these connections, and takes a number of events. */
async function take(
  count: number,
  connections: readonly Connection[],
  params: SubscribeParams = {},
  options: SubscribeOptions = {},
) {
  const requests: {
    readonly search: string;
    readonly lastEventId: string | null;
    readonly accept: string | null;
  }[] = [];
  const client = createClient({
    baseUrl: 'https://example.org',
    token: 'secret',
    fetch: async (url, init) => {
      const headers = new Headers(init?.headers);
      const connection = connections[requests.length];
      requests.push({
        search: new URL(String(url)).search,
        lastEventId: headers.get('last-event-id'),
        accept: headers.get('accept'),
      });
      if (connection === undefined) throw new Error('no more connections');
      if (connection instanceof Error) throw connection;
      return connection instanceof Response ? connection : answer(connection, init?.signal ?? undefined);
    },
  });
  const events: StewardEvent[] = [];
  const run = (async () => {
    for await (const event of client.events.subscribe(params, options))
      if (events.push(event) === count) return;
  })();
  const ended = run.then(
    () => undefined,
    (error: unknown) => error,
  );
  let done = false;
  ended.then(() => {
    done = true;
  });
  while (!done) await vi.advanceTimersByTimeAsync(1_000);
  return { positions: events.map(({ position }) => position), requests, error: await ended };
}

function answer({ text, open = false }: { text: string; open?: boolean }, signal?: AbortSignal): Response {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(new TextEncoder().encode(text));
      if (!open) controller.close();
      else signal?.addEventListener('abort', () => controller.error(signal.reason), { once: true });
    },
  });
  return new Response(body, { headers: { 'content-type': 'text/event-stream; charset=utf-8' } });
}

function event(position: number): string {
  return `id: ${position}\ndata: ${JSON.stringify({ id: `evt_${position}`, position, type: 'account.created' })}\n\n`;
}

function refused(status: number): Response {
  return Response.json({ errcode: 'M_UNKNOWN', error: 'no' }, { status });
}

test('a subscription asks for what it wants, and yields the events', async () => {
  const { positions, requests } = await take(2, [{ text: event(8) + event(9), open: true }], {
    after: 7,
    types: ['account.*', 'room.deleted'],
    target: '@a:example.org',
  });
  expect(positions).toEqual([8, 9]);
  expect(requests).toEqual([
    {
      search: '?after=7&type=account.*&type=room.deleted&target=%40a%3Aexample.org',
      lastEventId: null,
      accept: 'text/event-stream',
    },
  ]);
});

test('the type of an event says what its data has, and unknown types are passed on', async () => {
  const erased = {
    id: 'e',
    position: 1,
    type: 'account.deactivated',
    data: { user_id: '@a:test', erased: true },
  };
  const later = { id: 'l', position: 2, type: 'later.added', data: { new: 1 } };
  const text = [erased, later]
    .map((each) => `id: ${each.position}\ndata: ${JSON.stringify(each)}\n\n`)
    .join('');
  const client = createClient({
    baseUrl: 'https://example.org',
    token: 't',
    fetch: async () => answer({ text }),
  });
  const found: unknown[] = [];
  for await (const event of client.events.subscribe({ after: 0 })) {
    // Does not compile unless the types of the data differ by the type of the event.
    found.push(
      event.type === 'account.deactivated' ? (event.data.erased satisfies boolean | undefined) : event.data,
    );
    if (found.length === 2) break;
  }
  expect(found).toEqual([true, { new: 1 }]);
});

test('it continues behind the last event, and yields none twice', async () => {
  const pauses: unknown[] = [];
  let connections = 0;
  const { positions, requests } = await take(
    4,
    [
      { text: `${event(1)}${event(2)}data: {"posi` },
      refused(500),
      new TypeError('fetch failed'),
      { text: event(2) + event(3) },
      { text: event(4) },
    ],
    { after: 0 },
    { onConnect: () => connections++, onReconnect: (_, error) => pauses.push(error?.status) },
  );
  expect(connections).toBe(3);
  expect(positions).toEqual([1, 2, 3, 4]);
  expect(requests.map(({ lastEventId }) => lastEventId)).toEqual([null, '2', '2', '2', '3']);
  expect(requests.at(-1)?.search).toBe('?after=3');
  expect(pauses).toEqual([undefined, 500, 0, undefined]);
});

test('it begins behind the present end, also if its first connection has no event', async () => {
  const { positions, requests } = await take(1, [
    Response.json({ events: [], next_after: 7, latest: 41 }),
    { text: ': heartbeat\n\n' },
    { text: event(42) },
  ]);
  expect(positions).toEqual([42]);
  expect(requests.map(({ search }) => search)).toEqual(['?limit=0', '?after=41', '?after=41']);
});

test('it continues at a position that came without an event', async () => {
  const { requests } = await take(1, [{ text: 'id: 41\n\n' }, { text: event(42) }], { after: 7 });
  expect(requests.map(({ search }) => search)).toEqual(['?after=7', '?after=41']);
});

test.each([
  ['0', 500, 1_000],
  ['5', 5_000, 5_000],
  ['99999999', 60_000, 60_000],
])('after a refusal that asks for %s s it pauses %i to %i ms', async (retryAfter, least, most) => {
  const busy = Response.json({}, { status: 503, headers: { 'retry-after': retryAfter } });
  const pauses: number[] = [];
  const onReconnect = (ms: number, error: unknown) => error !== undefined && pauses.push(ms);
  await take(2, [{ text: event(1) }, busy, { text: event(2) }], { after: 0 }, { onReconnect });
  expect(pauses).toHaveLength(1);
  expect(pauses[0]).toBeGreaterThanOrEqual(least);
  expect(pauses[0]).toBeLessThanOrEqual(most);
});

test('it leaves a connection that is silent for 45 seconds', async () => {
  const connections = [1, 2].map((position) => ({ text: event(position), open: true }));
  const { positions } = await take(2, connections, { after: 0 });
  expect(positions).toEqual([1, 2]);
});

test.each([400, 401, 403, 404, 410])('a %i ends it, also on a later connection', async (status) => {
  const { error } = await take(1, [refused(status)], { after: 1 });
  expect(error).toMatchObject({ name: 'StewardError', status });
  const later = await take(2, [{ text: event(2) }, refused(status)], { after: 1 });
  expect(later.error).toMatchObject({ status });
  expect(later.positions).toEqual([2]);
});

test('a first connection that fails is tried as often as a read', async () => {
  const { error, requests } = await take(
    1,
    [1, 2, 3, 4, 5, 6].map(() => new TypeError('fetch failed')),
  );
  expect(error).toMatchObject({ errcode: 'NETWORK_ERROR' });
  expect(requests).toHaveLength(5);
});

test('an answer that is not an event stream ends it', async () => {
  const { error } = await take(1, [Response.json({ events: [] })], { after: 0 });
  expect(error).toMatchObject({ errcode: 'INVALID_ANSWER' });
  const later = await take(1, [{ text: 'data: <html>\n\n' }], { after: 0 });
  expect(later.error).toMatchObject({ errcode: 'INVALID_ANSWER' });
});

test('the signal ends it with its reason', async () => {
  const abort = new AbortController();
  setTimeout(() => abort.abort('enough'), 5_000);
  const { error, positions } = await take(
    2,
    [{ text: event(1), open: true }],
    { after: 0 },
    { signal: abort.signal },
  );
  expect(error).toBe('enough');
  expect(positions).toEqual([1]);
});

test('the signal ends it also between two events that came at once, and from either argument', async () => {
  const connection = { text: event(1) + event(2), open: true };
  for (const isFirst of [true, false]) {
    const abort = new AbortController();
    const client = createClient({
      baseUrl: 'https://example.org',
      token: 't',
      fetch: async (_, init) => answer(connection, init?.signal ?? undefined),
    });
    const { signal } = abort;
    const events = isFirst
      ? client.events.subscribe({ after: 0, signal })
      : client.events.subscribe({ after: 0 }, { signal });
    expect(await events.next()).toMatchObject({ value: { position: 1 } });
    abort.abort('enough');
    await expect(events.next()).rejects.toBe('enough');
  }
});

test('it takes the options of all calls', async () => {
  const { requests, error } = await take(
    1,
    [new TypeError('fetch failed')],
    { after: 0 },
    { maxRetries: 0, headers: { accept: 'text/x' }, reason: 'ticket' },
  );
  expect(error).toMatchObject({ errcode: 'NETWORK_ERROR' });
  expect(requests).toMatchObject([{ accept: 'text/x' }]);
});
