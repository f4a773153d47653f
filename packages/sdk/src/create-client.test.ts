import { readFileSync } from 'node:fs';
import { describe, expect, test, vi } from 'vitest';
import { type OpenApiDocument, readOperations, resolve } from './generate/mod.ts';
import { type ClientOptions, createClient, type Middleware, StewardError } from './mod.ts';

type Answer = Response | Error | ((request: Request) => Response | Promise<Response>);

/** A client of a server that gives these answers, one after another, and the requests that it receives. */
function clientOf(answers: readonly Answer[], options: Partial<ClientOptions> = {}) {
  const received: { readonly request: Request; readonly init: RequestInit }[] = [];
  const client = createClient({
    baseUrl: 'https://example.org/prefix/',
    token: 'secret',
    ...options,
    fetch: async (url, init) => {
      const request = new Request(String(url), { ...init, signal: null });
      const answer = answers[received.length];
      received.push({ request, init: init ?? {} });
      init?.signal?.throwIfAborted();
      if (answer === undefined) return new Promise((_, reject) => rejectWhenAborted(init?.signal, reject));
      if (answer instanceof Error) throw answer;
      return typeof answer === 'function' ? answer(request) : answer;
    },
  });
  return { client, received };
}

function rejectWhenAborted(signal: AbortSignal | null | undefined, reject: (reason: unknown) => void): void {
  signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
}

function json(body: unknown, status = 200, headers: Record<string, string> = {}): Response {
  return Response.json(body, { status, headers });
}

/** A refusal that asks for a repetition without a pause. */
function busy(status: number): Response {
  return json({ errcode: 'M_LIMIT_EXCEEDED', error: 'Too many requests', retry_after_ms: 0 }, status);
}

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

async function refusal(call: PromiseLike<unknown>): Promise<StewardError> {
  try {
    await call;
  } catch (error) {
    if (error instanceof StewardError) return error;
    throw error;
  }
  throw new Error('the call succeeded');
}

describe('requests', () => {
  test('go below the base URL with the token, the reason and the documented parameters', async () => {
    const { client, received } = clientOf([json({ users: [], total: 0 }), json({})], { reason: 'routine' });
    await client.users.list({ not_user_type: ['bot', ''], guests: false, limit: undefined as never });
    await client.users.resetPassword(
      { user_id: '@ä/b:example.org', new_password: 'x' },
      { reason: 'Ärger, 100 %\n' },
    );
    const [list, reset] = received.map(({ request }) => request);
    expect(list?.url).toBe(
      'https://example.org/prefix/_service/admin/v2/users?not_user_type=bot&not_user_type=&guests=false',
    );
    expect(list?.headers.get('authorization')).toBe('Bearer secret');
    expect(list?.headers.get('x-steward-reason')).toBe('routine');
    expect(reset?.url).toBe(
      'https://example.org/prefix/_service/admin/v1/reset_password/%40%C3%A4%2Fb%3Aexample.org',
    );
    expect(await reset?.json()).toEqual({ new_password: 'x' });
    expect(reset?.headers.get('x-steward-reason')).toBe('%C3%84rger, 100 %25%0A');
  });

  test('carry cookies without a token and none with one, and follow no redirection', async () => {
    const [withToken, without] = [clientOf([json({})]), clientOf([json({})], { token: undefined })];
    await withToken.client.me.get();
    await without.client.me.get();
    expect(withToken.received[0]?.init).toMatchObject({ credentials: 'omit', redirect: 'error' });
    expect(without.received[0]?.init).toMatchObject({ credentials: 'include' });
    expect(without.received[0]?.request.headers.get('authorization')).toBeNull();
  });

  test.each([
    ['', '/_service/admin/v1/me'],
    ['/behind/', '/behind/_service/admin/v1/me'],
    [new URL('HTTP://localhost:8008'), 'http://localhost:8008/_service/admin/v1/me'],
  ])('to %j go to %s', async (baseUrl, url) => {
    const send = vi.fn(async () => json({}));
    await createClient({ baseUrl, fetch: send }).me.get();
    expect(send).toHaveBeenCalledWith(url, expect.anything());
  });

  test.each([undefined, '', '.', '..', 'a\ud800'])(
    'requests are not sent with %j in the path',
    async (name) => {
      const { client, received } = clientOf([]);
      await expect(client.roles.delete({ name: name as string })).rejects.toThrow(TypeError);
      expect(received).toEqual([]);
    },
  );

  test.each([
    'localhost:8008',
    'ftp://example.org',
    'https://example.org?a=b',
    'https://admin:password@example.org',
  ])('requests are not possible to %s', (baseUrl) => {
    expect(() => createClient({ baseUrl })).toThrow(
      new TypeError('baseUrl must be a URL of http or https without a password and a query'),
    );
  });

  test('have each header once, that of the call, however it is written', async () => {
    const { client, received } = clientOf([json({}), json({}), json({})]);
    const headers = { 'Content-Type': 'application/merge-patch+json', ACCEPT: 'text/plain' };
    await client.users.put({ user_id: '@a:b' }, { headers });
    await client.request({ method: 'PUT', path: '/x', json: {}, headers });
    await client.request({ method: 'PUT', path: '/x', json: {}, headers: { accept: 'a/b' } }, { headers });
    for (const { request } of received) {
      expect(request.headers.get('content-type')).toBe('application/merge-patch+json');
      expect(request.headers.get('accept')).toBe('text/plain');
    }
  });

  test('have a reason that ends in half a character', async () => {
    const { client, received } = clientOf([json({})]);
    await client.me.get({}, { reason: '😀\ud83d' });
    expect(received[0]?.request.headers.get('x-steward-reason')).toBe('%F0%9F%98%80%EF%BF%BD');
  });

  test.each(['@evil.example', '//evil.example', '/\\evil.example', '.evil.example', ''])(
    'by the path %j never leave the server',
    async (path) => {
      const { client, received } = clientOf([]);
      await expect(client.request({ path })).rejects.toThrow(TypeError);
      expect(received).toEqual([]);
    },
  );

  test('requests that read name the changes of the last ten seconds, to wait for them', async () => {
    const answered = (position: string) => json({}, 200, { 'X-Steward-Position': position });
    const answers = [
      json({}),
      ...Array.from({ length: 21 }, (_, n) => answered(`p${n}`)),
      json({}),
      json({}),
    ];
    const { client, received } = clientOf([...answers, json({}), json({})]);
    const sent = () => received.at(-1)?.request.headers.get('x-steward-wait-for') ?? null;
    await client.me.get();
    expect(sent()).toBeNull();
    for (let n = 0; n < 21; n++) {
      await client.users.put({ user_id: '@a:test' });
      expect(sent()).toBeNull();
    }
    await client.me.get();
    expect(sent()).toBe(Array.from({ length: 20 }, (_, n) => `p${n + 1}`).join(', '));
    await client.me.get({}, { headers: { 'X-Steward-Wait-For': 'p7' } });
    expect(sent()).toBe('p7');
    await client.request({ path: '/_service/admin/v1/me' });
    expect(sent()).toContain('p20');
    const now = performance.now();
    vi.spyOn(performance, 'now').mockReturnValue(now + 10_000);
    await client.me.get();
    vi.restoreAllMocks();
    expect(sent()).toBeNull();
  });

  test('by path send bytes, and have the whole answer', async () => {
    const { client, received } = clientOf([new Response('done', { status: 201, headers: { a: 'b' } })]);
    const body = new Uint8Array([0, 255, 10]);
    const answer = await client.request({
      method: 'post',
      path: '/_matrix/media/v3/upload',
      query: { filename: 'ü' },
      body,
    });
    expect([answer.status, answer.headers.get('a'), await answer.text()]).toEqual([201, 'b', 'done']);
    expect(received[0]?.request.url).toBe(
      'https://example.org/prefix/_matrix/media/v3/upload?filename=%C3%BC',
    );
    expect(new Uint8Array((await received[0]?.request.arrayBuffer()) ?? [])).toEqual(body);
  });
});

describe('refusals', () => {
  test('have what the answer says', async () => {
    const flows = [{ stages: ['totp'] }];
    const body = { errcode: 'STEWARD_STEP_UP_REQUIRED', error: 'Prove it', flows };
    const { client } = clientOf([json(body, 401, { 'x-request-id': 'r1', 'retry-after': '90' })]);
    const error = await refusal(client.users.get({ user_id: '@a:example.org' }));
    expect(error).toMatchObject({
      status: 401,
      errcode: 'STEWARD_STEP_UP_REQUIRED',
      message: 'Prove it',
      requestId: 'r1',
      retryAfterMs: 90_000,
      body,
      flows,
    });
  });

  test('of a proxy, and answers that are not JSON, are recognised, and say where they came from', async () => {
    const { client } = clientOf([new Response('<h1>no</h1>', { status: 500 }), new Response('<html>')]);
    expect(await refusal(client.me.get())).toMatchObject({
      status: 500,
      errcode: 'INVALID_ANSWER',
      message: '500 from https://example.org',
      body: '<h1>no</h1>',
      flows: [],
    });
    expect(await refusal(client.me.get())).toMatchObject({
      status: 200,
      errcode: 'INVALID_ANSWER',
      message: 'an answer that is not JSON from https://example.org',
    });
  });
});

describe('repetitions', () => {
  const lost = new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED') });

  test.each([429, 502, 503, 504])('follow a %i of a read', async (status) => {
    const { client, received } = clientOf([busy(status), busy(status), json({ user_id: '@a:b' })]);
    expect(await client.me.get()).toEqual({ user_id: '@a:b' });
    expect(received).toHaveLength(3);
  });

  test('follow a lost connection, and an answer that breaks off', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(1);
    vi.useFakeTimers();
    try {
      const broken = new ReadableStream({ pull: (controller) => controller.error(new Error('reset')) });
      const { client } = clientOf([lost, new Response(broken), json({ user_id: '@a:b' })]);
      const answer = client.me.get();
      await vi.runAllTimersAsync();
      expect(await answer).toEqual({ user_id: '@a:b' });
    } finally {
      vi.useRealTimers();
      vi.restoreAllMocks();
    }
  });

  test('end after maxRetries with the last error', async () => {
    const { client, received } = clientOf([busy(503), busy(503), busy(503)], { maxRetries: 1 });
    expect(await refusal(client.me.get())).toMatchObject({ status: 503 });
    expect(received).toHaveLength(2);
    expect(await refusal(client.me.get({}, { maxRetries: 0 }))).toMatchObject({ status: 503 });
    expect(received).toHaveLength(3);
  });

  test('do not follow when the server asks for a longer pause than a minute', async () => {
    const { client, received } = clientOf([json({}, 429, { 'retry-after': '61' })]);
    expect(await refusal(client.me.get())).toMatchObject({ status: 429, retryAfterMs: 61_000 });
    expect(received).toHaveLength(1);
  });

  test('follow a change with its key, and one without only if a second execution has no effect', async () => {
    const { client, received } = clientOf([
      ...[lost, busy(503), json({ errcode: 'STEWARD_ACTION_IN_PROGRESS' }, 409), json({})],
      ...[json({}), lost, busy(503), json({}), busy(503), json({ event_id: '$a' })],
    ]);
    const user = { user_id: '@a:b' };
    const keys = () => received.map(({ request }) => request.headers.get('idempotency-key'));
    await client.users.deactivate(user);
    const [key] = keys();
    expect(key).toMatch(/^[0-9a-f]{32}$/);
    expect(keys()).toEqual([key, key, key, key]);
    await client.users.deactivate(user, { idempotencyKey: 'mine' });
    expect(keys()[4]).toBe('mine');
    expect(await refusal(client.users.deactivate(user, { idempotencyKey: false }))).toMatchObject({
      status: 0,
      errcode: 'NETWORK_ERROR',
      message: 'no answer from https://example.org: connect ECONNREFUSED',
    });
    await client.users.deactivate(user, { idempotencyKey: false, repeatable: true });
    await client.notices.put({ txn_id: 't', ...user, content: {} });
    expect(keys().slice(5, 8)).toEqual([null, null, null]);
    expect(received).toHaveLength(10);
  });

  test('do not follow other refusals', async () => {
    const { client, received } = clientOf([json({ errcode: 'M_NOT_FOUND', error: 'no' }, 404)]);
    expect(await refusal(client.users.get({ user_id: '@a:b' }))).toMatchObject({ status: 404 });
    expect(received).toHaveLength(1);
  });
});

describe('ends of requests', () => {
  test('an attempt without an answer ends in time, and is repeated', async () => {
    const { client, received } = clientOf([], { timeoutMs: 1, maxRetries: 1 });
    expect(await refusal(client.me.get())).toMatchObject({ status: 0, errcode: 'TIMEOUT' });
    expect(received).toHaveLength(2);
  });

  test('an attempt without a limit of time may take long', async () => {
    const later = new Promise<Response>((resolve) =>
      setTimeout(() => resolve(json({ user_id: '@a:b' })), 20),
    );
    const { client, received } = clientOf([() => later]);
    expect(await client.me.get({}, { timeoutMs: Number.POSITIVE_INFINITY })).toEqual({ user_id: '@a:b' });
    expect(received).toHaveLength(1);
  });

  test('the signal ends a request and a pause, with its reason', async () => {
    const reason = new Error('enough');
    const { client, received } = clientOf([json({}, 503, { 'retry-after': '50' })]);
    const abort = new AbortController();
    const paused = client.me.get({}, { signal: abort.signal });
    const waiting = client.me.get({}, { signal: abort.signal });
    await vi.waitFor(() => expect(received).toHaveLength(2));
    abort.abort(reason);
    await expect(paused).rejects.toBe(reason);
    await expect(waiting).rejects.toBe(reason);
    await expect(client.me.get({}, { signal: abort.signal })).rejects.toBe(reason);
    expect(received).toHaveLength(2);
  });
});

describe('options', () => {
  test('options that there are not, or of another type, are refused and not ignored', async () => {
    const { client, received } = clientOf([]);
    const wrong: readonly (readonly [options: object, message: string])[] = [
      [{ timeout: 1 }, 'there is no option timeout; there are signal, timeoutMs'],
      [{ timeoutMs: Number.NaN }, 'timeoutMs must be a number above 0'],
      [{ maxRetries: -1 }, 'maxRetries must be'],
      [{ signal: new AbortController() }, 'signal must be an AbortSignal'],
    ];
    for (const [options, message] of wrong) {
      const calls = [
        client.me.get({}, options),
        client.users.list({}, options),
        client.tasks.wait({ task_id: 't' }, options),
        client.events.subscribe({}, options).next(),
        client.request({ path: '/x' }, options),
      ];
      for (const call of calls) await expect(call).rejects.toThrow(message);
    }
    expect(received).toEqual([]);
    expect(() => clientOf([], { timeout: 1 } as object)).toThrow('there is no option timeout');
  });

  test('among the parameters are refused', async () => {
    const { client } = clientOf([]);
    const params = { user_id: '@a:b', signal: AbortSignal.abort() };
    await expect(client.users.get(params)).rejects.toThrow('signal is an option');
    await expect(collect(client.users.listMedia(params))).rejects.toThrow('signal is an option');
  });
});

describe('middleware and tokens', () => {
  test('middleware sees each attempt without the token, the first one outermost', async () => {
    const seen: unknown[] = [];
    const log =
      (name: string): Middleware =>
      async (request, next) => {
        const { operation, attempt, method } = request;
        seen.push([name, operation, attempt, method, request.headers.get('authorization')]);
        request.headers.set(`x-${name}`, '1');
        const answer = await next(request);
        seen.push([name, answer.status]);
        return answer;
      };
    const { client, received } = clientOf([busy(503), json({})], { middleware: [log('one'), log('two')] });
    await client.me.get();
    const attempt = (number: number, status: number) => [
      ['one', 'me.get', number, 'GET', null],
      ['two', 'me.get', number, 'GET', null],
      ['two', status],
      ['one', status],
    ];
    expect(seen).toEqual([...attempt(0, 503), ...attempt(1, 200)]);
    expect(received[1]?.request.headers.get('x-two')).toBe('1');
    expect(received[1]?.request.headers.get('authorization')).toBe('Bearer secret');
  });

  test('each attempt asks for the token, and what that throws is passed on', async () => {
    let asked = 0;
    const token = async () => `t${asked++}`;
    const { client, received } = clientOf([busy(503), json({})], { token });
    await client.me.get();
    expect(received.map(({ request }) => request.headers.get('authorization'))).toEqual([
      'Bearer t0',
      'Bearer t1',
    ]);
    const failure = new Error('no key chain');
    const other = clientOf([], { token: () => Promise.reject(failure) });
    await expect(other.client.me.get()).rejects.toBe(failure);
  });

  test('a token may end with a line break, and what is none is not sent and not in the message', async () => {
    const { client, received } = clientOf([json({})], { token: 'secret\n' });
    await client.me.get();
    expect(received[0]?.request.headers.get('authorization')).toBe('Bearer secret');
    for (const token of ['', 'sec\nret', 'sec€ret', () => undefined as unknown as string]) {
      const other = clientOf([json({})], { token });
      await expect(other.client.me.get()).rejects.toThrow(
        new TypeError('the token is empty, or has characters that no token has'),
      );
      expect(other.received).toEqual([]);
    }
  });
});

describe('lists', () => {
  const users = (next: string | undefined, ...names: string[]) =>
    json({ users: names.map((name) => ({ name })), total: 3, next_token: next, later: true });

  test('give their first page when awaited, with fields that the types do not know', async () => {
    const { client, received } = clientOf([users('1', 'a')]);
    const list = client.users.list({ limit: 1 });
    expect(received).toEqual([]);
    expect(await list).toMatchObject({ total: 3, later: true });
    expect((await list).next_token).toBe('1');
    expect(received).toHaveLength(1);
  });

  test('give the items of all pages to a loop, and no more than it takes', async () => {
    const { client, received } = clientOf([users('1', 'a'), users('2', 'b', 'c'), users(undefined)]);
    const names = [];
    for await (const { name } of client.users.list({ limit: 2 })) names.push(name);
    expect(names).toEqual(['a', 'b', 'c']);
    expect(received.map(({ request }) => new URL(request.url).search)).toEqual([
      '?limit=2',
      '?limit=2&from=1',
      '?limit=2&from=2',
    ]);
    const other = clientOf([users('1', 'a')]);
    for await (const _ of other.client.users.list()) break;
    expect(other.received).toHaveLength(1);
  });

  test('give their pages', async () => {
    const { client } = clientOf([users('1', 'a'), users(undefined, 'b')]);
    expect((await collect(client.users.list().pages())).map((page) => page.users.length)).toEqual([1, 1]);
  });

  test('lists that still grow end where they stand', async () => {
    const changes = (next: number, ...ids: string[]) => json({ next_batch: next, changes: ids });
    const { client, received } = clientOf([changes(3, 'a', 'b'), changes(3)]);
    expect(await collect(client.media.listQuarantineChanges())).toEqual(['a', 'b']);
    expect(received).toHaveLength(2);
  });

  test('may be an array, or of one page', async () => {
    const { client } = clientOf([json([{ user_id: '@a:b' }]), json({ roles: [{ name: 'admin' }] })]);
    expect(await collect(client.users.searchIds({ user_id: '@a:b', term: 'a' }))).toEqual([
      { user_id: '@a:b' },
    ]);
    expect(await collect(client.roles.list())).toEqual([{ name: 'admin' }]);
  });

  test('have the items that a parameter selects', async () => {
    const page = (next?: string) =>
      json({ reports: [{ id: 1 }], cases: [{ case_id: 'c' }], total: 2, next_token: next });
    const { client, received } = clientOf([page('1'), page(), page('1'), page()]);
    const cases = await collect(client.reports.list({ group: 'subject', limit: 1 }));
    // Do not compile unless the items have the types of the lists.
    expect(cases.map(({ case_id }) => case_id)).toEqual(['c', 'c']);
    expect((await collect(client.reports.list())).map(({ id }) => id)).toEqual([1, 1]);
    expect(received.map(({ request }) => new URL(request.url).search)).toEqual([
      '?group=subject&limit=1',
      '?group=subject&limit=1&from=1',
      '',
      '?from=1',
    ]);
  });

  test('of every operation give the items of two pages', async () => {
    const document: OpenApiDocument = JSON.parse(
      readFileSync(new URL('../../../docs/openapi.json', import.meta.url), 'utf8'),
    );
    for (const { group, name, parameters, answer, paging } of readOperations(document)) {
      if (paging === undefined || answer === undefined) continue;
      const { items, cursor, variants } = paging;
      const arrays = Object.entries(resolve(answer, document).properties ?? {})
        .filter(([, schema]) => schema.type === 'array')
        .map(([field]) => field);
      const pathOf = (given: object) => ({
        ...Object.fromEntries(parameters.filter((one) => one.required).map((one) => [one.name, '!x:y'])),
        ...given,
      });
      const lists = [
        { params: {}, items },
        ...variants.map((one) => ({ params: { [one.parameter]: one.value }, items: one.items })),
      ];
      for (const list of lists) {
        // Every list of the answer has rows, which only those of the right one have the name of.
        const page = (next?: string) =>
          json(
            items === undefined
              ? [`${next}`]
              : {
                  ...Object.fromEntries(arrays.map((field) => [field, [`${field} before ${next}`]])),
                  ...(cursor !== undefined && next !== undefined && { [cursor.next]: next }),
                },
          );
        const { client } = clientOf([page('2'), page()]);
        const method = (
          client as never as Record<string, Record<string, (params: object) => AsyncIterable<unknown>>>
        )[group]?.[name];
        const found = await collect(method?.(pathOf(list.params)) ?? ([] as never));
        const rows = (next?: string) =>
          list.items === undefined ? `${next}` : `${list.items} before ${next}`;
        expect({ name: `${group}.${name}`, found }).toEqual({
          name: `${group}.${name}`,
          found: cursor === undefined ? [rows('2')] : [rows('2'), rows()],
        });
      }
    }
  });

  test('end with the signal also within a page', async () => {
    const { client } = clientOf([users(undefined, 'a', 'b')]);
    const abort = new AbortController();
    const names: string[] = [];
    const loop = (async () => {
      for await (const { name } of client.users.list({}, { signal: abort.signal })) {
        names.push(name);
        abort.abort('enough');
      }
    })();
    await expect(loop).rejects.toBe('enough');
    expect(names).toEqual(['a']);
  });

  test('pass a refusal on, to an await and to a loop', async () => {
    const refused = () => json({ errcode: 'M_FORBIDDEN', error: 'no' }, 403);
    const { client } = clientOf([refused(), refused()]);
    expect(await refusal(client.users.list())).toMatchObject({ status: 403 });
    await expect(collect(client.users.list())).rejects.toMatchObject({ errcode: 'M_FORBIDDEN' });
  });
});

describe('streams of bytes', () => {
  test('streams of bytes are read by line, wherever they are cut', async () => {
    const bytes = new TextEncoder().encode('{"a":"ü"}\r\n\n[1]\n"end"');
    const cut = new ReadableStream({
      start(controller) {
        for (const byte of bytes) controller.enqueue(Uint8Array.of(byte));
        controller.close();
      },
    });
    const { client } = clientOf([new Response(cut, { headers: { 'content-type': 'application/x-ndjson' } })]);
    const stream = await client.audit.export();
    expect(stream.contentType).toBe('application/x-ndjson');
    expect(await collect(stream.lines())).toEqual([{ a: 'ü' }, [1], 'end']);
  });

  test('end with the loop that reads them', async () => {
    const cancelled = vi.fn();
    const body = new ReadableStream({ pull: (to) => to.enqueue(Uint8Array.of(1)), cancel: cancelled });
    const { client } = clientOf([new Response(body)]);
    for await (const _ of await client.audit.export()) break;
    expect(cancelled).toHaveBeenCalledOnce();
  });
});

describe('tasks.wait', () => {
  const task = (state: string, done: number) => json({ id: 't', state, progress: { done, total: 2 } });

  test('returns the ended task, and reports each change once', async () => {
    const { client } = clientOf([
      task('scheduled', 0),
      task('active', 1),
      task('active', 1),
      task('failed', 1),
    ]);
    const seen: string[] = [];
    const ended = await client.tasks.wait(
      { task_id: 't' },
      {
        longestPauseMs: 1,
        onProgress: ({ state }) => seen.push(state),
      },
    );
    expect(ended.state).toBe('failed');
    expect(seen).toEqual(['scheduled', 'active', 'failed']);
  });

  test('outlasts a restart of the server, but does not wait long for one that is not there', async () => {
    vi.useFakeTimers();
    try {
      const lost = Array.from({ length: 8 }, () => new TypeError('fetch failed'));
      const ended = clientOf([task('active', 1), ...lost, task('complete', 2)]).client.tasks.wait({
        task_id: 't',
      });
      await vi.runAllTimersAsync();
      expect(await ended).toMatchObject({ state: 'complete' });
      const missing = clientOf(lost);
      const refused = refusal(missing.client.tasks.wait('t'));
      await vi.runAllTimersAsync();
      expect(await refused).toMatchObject({ errcode: 'NETWORK_ERROR' });
      expect(missing.received).toHaveLength(5);
    } finally {
      vi.useRealTimers();
    }
  });

  test('ends with the signal', async () => {
    const { client, received } = clientOf([task('active', 0)]);
    const abort = new AbortController();
    const waiting = client.tasks.wait(
      { task_id: 't' },
      { signal: abort.signal, onProgress: () => abort.abort('enough') },
    );
    await expect(waiting).rejects.toBe('enough');
    expect(received).toHaveLength(1);
  });
});
