import { createClient } from '@steward/sdk';
import { type Actor, path } from '@steward/testing';
import { describe, expect, it } from 'vitest';
import { Browser } from './browser.ts';
import { inOneProcess, oneProcessChapter, ownChapter, pairedChapter } from './chapter.ts';
import { EVENTS, openSource, openStream } from './event-stream.ts';
import { refusal } from './refusal.ts';

/** How long events of earlier requests may take, in milliseconds. */
const PATIENCE = { timeout: 28_000, interval: 25 };

/** The longest idle time of an administrator session by default, in milliseconds. */
const IDLE_MS = 30 * 60_000;

/** How many streams one credential may have by default. */
const MOST_STREAMS = 20;

interface Page {
  readonly events: readonly { readonly position: number; readonly type: string }[];
  readonly next_after: number;
  readonly latest: number;
}

const bearer = ({ token }: { readonly token: string }) => ({ authorization: `Bearer ${token}` });

/** The ids and types of the events in the text of a stream. */
const eventsIn = (text: string) =>
  [...text.matchAll(/^id: (\d+)\nevent: (\S+)\ndata: (\{.*\})\n\n/gm)].map(([, id, type, data]) => ({
    position: Number(id),
    type,
    data: JSON.parse(data ?? '') as unknown,
  }));

pairedChapter('Event streams', (world) => {
  const latest = async () => (await world.admin.get<Page>(EVENTS, { query: { limit: 0 } })).body.latest;
  const put = async (userId: string, body: unknown = { displayname: 'New' }) =>
    expect([200, 201]).toContain(
      (await world.admin.put(path`/_service/admin/v2/users/${userId}`, { body })).status,
    );
  const newToken = async (fields: Readonly<Record<string, unknown>> = { role: 'auditor' }) => {
    const made = await world.admin.post<{ id: string; token: string }>('/_service/admin/v1/tokens', {
      body: { name: 'follower', ...fields },
    });
    expect(made).toMatchObject({ status: 200 });
    return made.body;
  };
  const newRole = async (...scopes: readonly string[]) => {
    const name = world.freshName('role');
    expect(await world.admin.post('/_service/admin/v1/roles', { body: { name, scopes } })).toMatchObject({
      status: 200,
    });
    return name;
  };
  const withRoles = async (...roles: readonly string[]) => {
    const user = await world.user('follower');
    expect(await setRoles(user, ...roles)).toMatchObject({ status: 200 });
    return user;
  };
  const setRoles = ({ userId }: Actor, ...roles: readonly string[]) =>
    world.admin.put(path`/_service/admin/v1/users/${userId}/roles`, { body: { roles } });

  it('begin with the next event, and write events as the list has them', async () => {
    const before = await latest();
    const user = world.userId(world.freshName('streamed'));
    const stream = await openStream(
      world,
      `${EVENTS}?target=${encodeURIComponent(user)}`,
      bearer(world.admin),
    );
    expect(stream.status).toBe(200);
    expect(Object.fromEntries(stream.headers)).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': expect.stringContaining('no-store'),
      'x-accel-buffering': 'no',
      vary: 'Accept',
    });
    await expect.poll(stream.text, PATIENCE).toMatch(/^: .*\nretry: \d+\nid: \d+\n\n$/);
    await put(user, { password: 'wonderland', displayname: 'Zoë 😀\u2028\n' });
    await put(user);
    await expect.poll(() => eventsIn(stream.text()).length, PATIENCE).toBe(2);
    const listed = await world.admin.get<Page>(EVENTS, { query: { after: before, target: user } });
    expect(eventsIn(stream.text()).map(({ data }) => data)).toEqual(listed.body.events);
    expect(eventsIn(stream.text())).toEqual(
      listed.body.events.map(({ position, type }) => expect.objectContaining({ position, type })),
    );
  });

  it('continue behind the last id, whatever the URL says', async () => {
    const after = await latest();
    const user = world.userId(world.freshName('streamed'));
    for (let change = 0; change < 4; change++) await put(user);
    const list = async () =>
      (await world.admin.get<Page>(EVENTS, { query: { after, target: user } })).body.events;
    await expect.poll(async () => (await list()).length, PATIENCE).toBe(4);
    const positions = (await list()).map(({ position }) => position);
    const target = `${EVENTS}?after=${after}&target=${encodeURIComponent(user)}&type=account.*`;
    const from = async (headers: Readonly<Record<string, string>>, count: number) => {
      const stream = await openStream(world, target, { ...bearer(world.admin), ...headers });
      await expect.poll(() => eventsIn(stream.text()).length, PATIENCE).toBe(count);
      return eventsIn(stream.text()).map(({ position }) => position);
    };
    expect(await from({}, 4)).toEqual(positions);
    expect(await from({ 'last-event-id': String(positions[1]) }, 2)).toEqual(positions.slice(2));
  });

  it('event streams are what an EventSource reads', async () => {
    const user = world.userId(world.freshName('streamed'));
    const target = `${EVENTS}?target=${encodeURIComponent(user)}`;
    const { events, opened } = openSource(world, target, ['account.changed'], bearer(world.admin));
    await expect.poll(opened, PATIENCE).toBe(1);
    await put(user);
    await put(user);
    await expect.poll(() => events.length, PATIENCE).toBe(1);
    const [{ id, data } = { id: '', data: {} }] = events;
    expect(data).toMatchObject({ type: 'account.changed', targets: [user], position: Number(id) });
  });

  it('have the events of types to which a scope of the caller belongs', async () => {
    const token = await newToken({ scopes: ['events:read', 'registration_tokens:read'] });
    const stream = await openStream(world, EVENTS, bearer(token));
    await put(world.userId(world.freshName('streamed')));
    expect(await world.admin.post('/_service/admin/v1/registration_tokens/new', { body: {} })).toMatchObject({
      status: 200,
    });
    await expect
      .poll(() => eventsIn(stream.text()).map(({ type }) => type), PATIENCE)
      .toEqual(['registration_token.created']);
  });

  describe('end when', () => {
    it.each<[string, () => Promise<{ readonly token: string; readonly act: () => Promise<unknown> }>]>([
      [
        'the token is revoked',
        async () => {
          const { id, token } = await newToken();
          return { token, act: () => world.admin.delete(path`/_service/admin/v1/tokens/${id}`) };
        },
      ],
      [
        'the user logs out',
        async () => {
          const user = await withRoles('auditor');
          return { token: user.token, act: () => user.post('/_proto/client/v3/logout') };
        },
      ],
      [
        'the account is deactivated',
        async () => {
          const user = await withRoles('auditor');
          const act = () =>
            world.admin.post(path`/_service/admin/v1/deactivate/${user.userId}`, { body: {} });
          return { token: user.token, act };
        },
      ],
      [
        'the user loses a role',
        async () => {
          const user = await withRoles('auditor');
          return { token: user.token, act: () => setRoles(user) };
        },
      ],
      [
        'a role loses a scope',
        async () => {
          const role = await newRole('events:read', 'users:read');
          const user = await withRoles(role);
          const body = { scopes: ['events:read'] };
          return {
            token: user.token,
            act: () => world.admin.put(path`/_service/admin/v1/roles/${role}`, { body }),
          };
        },
      ],
    ])('%s', async (_, prepare) => {
      const { token, act } = await prepare();
      const stream = await openStream(world, EVENTS, bearer({ token }));
      expect(stream.status).toBe(200);
      expect(await act()).toMatchObject({ status: 200 });
      await stream.ended;
    });

    it('the administrator session ends', async () => {
      const browser = new Browser(world);
      expect(await browser.signIn(await withRoles('auditor'))).toMatchObject({ status: 200 });
      const stream = await openStream(world, EVENTS, { cookie: browser.cookie });
      expect(stream.status).toBe(200);
      expect(await browser.send('DELETE', '/_service/admin/v1/session')).toMatchObject({ status: 200 });
      await stream.ended;
    });
  });

  // Each process limits what it serves.
  inOneProcess(() => {
    it('of one credential are limited', async () => {
      const token = await newToken();
      const streams = [];
      for (let count = 0; count < MOST_STREAMS; count++)
        streams.push(await openStream(world, EVENTS, bearer(token)));
      expect(streams.map(({ status }) => status)).toEqual(Array(MOST_STREAMS).fill(200));
      const reply = await world.http('GET', EVENTS, {
        token: token.token,
        headers: { accept: 'text/event-stream' },
      });
      expect(reply).toMatchObject(
        refusal(429, 'M_LIMIT_EXCEEDED', { retry_after_ms: expect.any(Number) as unknown }),
      );
      expect(reply.headers).toHaveProperty('retry-after');
      expect(await openStream(world, EVENTS, bearer(await newToken()))).toMatchObject({ status: 200 });
    });
  });

  describe('are refused as the list is', () => {
    const get = (query: Readonly<Record<string, string | number>>, token?: string, lastId?: string) =>
      world.http('GET', EVENTS, {
        query,
        headers: {
          accept: 'text/event-stream',
          ...(lastId === undefined ? {} : { 'last-event-id': lastId }),
        },
        ...(token === undefined ? {} : { token }),
      });

    it('for positions that are gone', async () => {
      const gone = refusal(410, 'STEWARD_POSITION_GONE', {
        oldest: expect.any(Number) as unknown,
        latest: expect.any(Number) as unknown,
      });
      expect(await get({ after: 2 ** 50 }, world.admin.token)).toMatchObject(gone);
      expect(await get({ after: 0 }, world.admin.token, String(2 ** 50))).toMatchObject(gone);
    });

    it('for invalid parameters', async () => {
      const invalid = refusal(400, 'M_INVALID_PARAM');
      for (const lastId of ['x', '-1', '1.5', '9'.repeat(30)])
        expect(await get({}, world.admin.token, lastId)).toMatchObject(invalid);
      expect(await get({ type: 'account.unheard_of' }, world.admin.token)).toMatchObject(invalid);
    });

    it('for callers without the scope', async () => {
      expect(await get({})).toMatchObject(refusal(401, 'M_MISSING_TOKEN'));
      expect(await get({}, 'unknown')).toMatchObject(refusal(401, 'M_UNKNOWN_TOKEN'));
      expect(await get({}, (await world.user('stranger')).token)).toMatchObject(refusal(403, 'M_FORBIDDEN'));
    });
  });

  it('answer HEAD with their headers', async () => {
    const headers = { accept: 'text/event-stream' };
    const reply = await world.http('HEAD', EVENTS, { token: world.admin.token, headers });
    expect(reply).toMatchObject({ status: 200, text: '' });
    expect(reply.headers['content-type']).toBe('text/event-stream');
  });
});

oneProcessChapter('Event streams of administrator sessions', (world) => {
  it('do not count as uses, and end with the idle time', async () => {
    const browser = new Browser(world);
    expect(await browser.signIn(world.admin)).toMatchObject({ status: 200 });
    const stream = await openStream(world, EVENTS, { cookie: browser.cookie });
    expect(stream.status).toBe(200);
    world.moveClock?.(IDLE_MS - 60_000);
    // All credentials are looked up together, so that of the session has been when the stream of another one ends.
    for (let round = 0; round < 2; round++) {
      const user = await world.user('other', { admin: true });
      const other = await openStream(world, EVENTS, bearer(user));
      await user.post('/_proto/client/v3/logout');
      await other.ended;
    }
    world.moveClock?.(60_001);
    await stream.ended;
  });
});

ownChapter('Subscriptions to the feed', (world) => {
  it('receive each event once, also when the server is restarted', async () => {
    const put = async (userId: string, body: unknown) =>
      expect([200, 201]).toContain(
        (await world.admin.put(path`/_service/admin/v2/users/${userId}`, { body })).status,
      );
    const user = world.userId(world.freshName('subscribed'));
    await put(user, { displayname: 'First' });
    const base = 'http://server.test';
    const client = createClient({
      baseUrl: base,
      token: world.admin.token,
      // A restarted server listens on another port.
      fetch: (url, init) => fetch(String(url).replace(base, world.running.url), init),
    });
    const { latest } = await client.events.list({ limit: 0 });
    const received: number[] = [];
    const subscribed = (async () => {
      for await (const { position } of client.events.subscribe({ after: latest, target: user }))
        if (received.push(position) === 20) return;
    })();
    for (let change = 0; change < 8; change++) await put(user, { displayname: `Name ${change}` });
    await expect.poll(() => received.length, PATIENCE).toBeGreaterThan(0);
    await world.restart();
    for (let change = 0; change < 12; change++) await put(user, { displayname: `Again ${change}` });
    await subscribed;
    const { events } = await client.events.list({ after: latest, target: user });
    expect(received).toEqual(events.map(({ position }) => position));
    expect(received).toHaveLength(20);
  });
});
