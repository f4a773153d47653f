import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { type Actor, path } from '@steward/testing';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { chapter } from './chapter.ts';
import { refusal } from './refusal.ts';
import { openServer } from './shared-settings.ts';

const WEBHOOKS = '/_service/admin/v1/webhooks';
const EVENTS = '/_service/admin/v1/events';

const at = (id: string) => path`/_service/admin/v1/webhooks/${id}`;
const ok = { status: 200 };
const invalid = refusal(400, 'M_INVALID_PARAM');
const notFound = refusal(404, 'M_NOT_FOUND');
const lacks = (scope: string) =>
  refusal(403, 'M_FORBIDDEN', { error: expect.stringContaining(scope) as unknown });

/** How long events and deliveries may take on a busy machine, in milliseconds. */
const PATIENCE = { timeout: 28_000, interval: 20 };

interface Hook {
  readonly id: string;
  readonly secret: string;
  readonly scopes: readonly string[];
  readonly [key: string]: unknown;
}

interface Message {
  readonly id: string;
  readonly type: string;
  readonly position: number;
  readonly timestamp: string;
  readonly targets: readonly string[];
}

interface Received {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly message: Message;
}

/** Verifies a message as its receiver does, at the time of the server, which has a clock of its own in some set-ups. */
function verify(secret: string, received: Received | undefined): unknown {
  const { headers = {}, body = '' } = received ?? {};
  vi.useFakeTimers({ toFake: ['Date'], now: Number(headers['webhook-timestamp']) * 1_000 });
  try {
    return new Webhook(secret).verify(body, headers);
  } finally {
    vi.useRealTimers();
  }
}

chapter(
  'Webhooks',
  (world) => {
    let receiver: Server;
    let base: string;
    /** What arrived, by path, and the status that a path answers if that is not 200. */
    const arrived = new Map<string, Received[]>();
    const statuses = new Map<string, number>();
    let paths = 0;

    beforeAll(async () => {
      receiver = createServer(async (request: IncomingMessage, response) => {
        const { url = '', headers } = request;
        const body = await text(request);
        const of = arrived.get(url) ?? [];
        arrived.set(url, of);
        of.push({ headers: headers as Record<string, string>, body, message: JSON.parse(body) });
        response.writeHead(statuses.get(url) ?? 200).end();
      }).listen(0, '127.0.0.1');
      await once(receiver, 'listening');
      base = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
    });
    afterAll(() => receiver.close());

    const newPath = () => `/hook-${++paths}`;
    const messagesAt = (target: string) => (arrived.get(target) ?? []).map(({ message }) => message);
    const make = async (body: Readonly<Record<string, unknown>>, by: Pick<Actor, 'post'> = world.admin) => {
      const reply = await by.post<Hook>(WEBHOOKS, { body });
      expect(reply).toMatchObject(ok);
      return reply.body;
    };
    /** A webhook for what happens to a new user, and a change of that user. */
    const watch = async (fields: Readonly<Record<string, unknown>> = {}) => {
      const userId = `@${world.freshName('watched')}:test`;
      const target = newPath();
      const hook = await make({ url: base + target, types: ['account.*'], targets: [userId], ...fields });
      const change = async () => {
        const body = { displayname: world.freshName('name'), password: 'wonderland' };
        const reply = await world.admin.put(path`/_service/admin/v2/users/${userId}`, { body });
        expect([200, 201]).toContain(reply.status);
      };
      return { hook, target, userId, change };
    };
    const deliveriesOf = async (id: string, query: Readonly<Record<string, string | number>> = {}) => {
      const reply = await world.admin.get<{
        deliveries: { id: string; state: string; event_id: string; attempts: { status: number }[] }[];
        next_token?: string;
      }>(`${at(id)}/deliveries`, { query });
      expect(reply).toMatchObject(ok);
      return reply.body;
    };
    const withScopes = async (...scopes: readonly string[]) => {
      const name = world.freshName('role');
      expect(await world.admin.post('/_service/admin/v1/roles', { body: { name, scopes } })).toMatchObject(
        ok,
      );
      const user = await world.user('hooker');
      const target = path`/_service/admin/v1/users/${user.userId}/roles`;
      expect(await world.admin.put(target, { body: { roles: [name] } })).toMatchObject(ok);
      return user;
    };

    it('get the events that they select, in order, signed after Standard Webhooks', async () => {
      const { hook, target, userId, change } = await watch();
      await change();
      await change();
      await expect
        .poll(() => messagesAt(target).map(({ type }) => type), PATIENCE)
        .toEqual(['account.created', 'account.changed']);
      const [first] = arrived.get(target) ?? [];
      const verified = verify(hook.secret, first) as Message;
      expect(first?.headers).toMatchObject({ 'content-type': 'application/json' });
      const found = await world.admin.get<{ events: Message[] }>(EVENTS, { query: { target: userId } });
      const [event] = found.body.events;
      expect(verified).toEqual({ ...event, timestamp: expect.stringMatching(/^\d{4}-.*Z$/) });
      await expect
        .poll(async () => (await deliveriesOf(hook.id, { state: 'delivered' })).deliveries.length, PATIENCE)
        .toBe(2);
      const page = await deliveriesOf(hook.id, { limit: 1 });
      const rest = await deliveriesOf(hook.id, { limit: 1, from: page.next_token ?? '' });
      expect([page.deliveries[0]?.event_id, rest.deliveries[0]?.event_id]).toEqual(
        messagesAt(target)
          .map(({ id }) => id)
          .reverse(),
      );
      expect(rest.next_token).toBe(undefined);
      const ofEvent = await deliveriesOf(hook.id, { event_id: event?.id ?? '' });
      expect(ofEvent.deliveries).toMatchObject([{ state: 'delivered', attempts: [{ status: 200 }] }]);
      const delivery = `${at(hook.id)}/deliveries/${ofEvent.deliveries[0]?.id}`;
      expect((await world.admin.get(delivery)).body).toEqual(ofEvent.deliveries[0]);
    });

    it('show their secrets when they are made and rotated, and nowhere else', async () => {
      const { hook, target, change } = await watch();
      const mine = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
      const rotated = await world.admin.post<Hook>(`${at(hook.id)}/rotate_secret`, {
        body: { secret: mine },
      });
      expect(rotated.body).toMatchObject({ secret: mine, previous_secret_expires_ts: expect.any(Number) });
      await change();
      await expect.poll(() => messagesAt(target).length, PATIENCE).toBe(1);
      const [both] = arrived.get(target) ?? [];
      for (const secret of [hook.secret, mine]) verify(secret, both);
      const ended = await world.admin.post<Hook>(`${at(hook.id)}/rotate_secret`, { body: { overlap_ms: 0 } });
      await change();
      await expect.poll(() => messagesAt(target).length, PATIENCE).toBe(2);
      const [, one] = arrived.get(target) ?? [];
      expect(() => verify(mine, one)).toThrow('No matching signature');
      verify(ended.body.secret, one);
      const log = await world.admin.get('/_service/admin/v1/audit_log', {
        query: { target: `webhook:${hook.id}` },
      });
      expect(log).toMatchObject(ok);
      const shown = [
        log,
        await world.admin.get(at(hook.id)),
        await world.admin.get(WEBHOOKS),
        await world.admin.put(at(hook.id), { body: { description: 'Later' } }),
        await world.admin.get(EVENTS, { query: { target: `webhook:${hook.id}`, limit: 1_000 } }),
      ];
      for (const { text: answer } of shown) {
        expect(answer).toContain(hook.id);
        for (const secret of [hook.secret, mine, ended.body.secret]) expect(answer).not.toContain(secret);
      }
    });

    it('have the rights of who made them, and are changed only by who has these', async () => {
      const weak = await withScopes('webhooks:read', 'webhooks:write', 'users:read');
      const post = (target: string, body: object) => weak.post<Hook>(target, { body });
      const url = base + newPath();
      expect(await post(WEBHOOKS, { url, types: ['room.deleted'] })).toMatchObject(lacks('rooms:read'));
      const own = await make({ url, types: ['account.created'] }, weak);
      expect([...own.scopes].sort()).toEqual(['users:read', 'webhooks:read', 'webhooks:write']);
      expect(await weak.put(at(own.id), { body: { types: ['media.deleted'] } })).toMatchObject(
        lacks('media:read'),
      );
      const { hook } = await watch({ types: [] });
      expect(hook.scopes).toContain('media:read');
      expect(await post(`${at(hook.id)}/rotate_secret`, {})).toMatchObject(refusal(403, 'M_FORBIDDEN'));
      const lower = refusal(403, 'M_FORBIDDEN');
      for (const body of [{ description: 'Mine' }, { url: base + newPath() }, { enabled: true }])
        expect(await weak.put(at(hook.id), { body })).toMatchObject(lower);
      expect(await weak.delete(at(hook.id))).toMatchObject(lower);
      const missing = refusal(400, 'M_MISSING_PARAM');
      for (const body of [{}, { take_scopes: true }])
        expect(await world.admin.put(at(own.id), { body })).toMatchObject(missing);
      const put = (body: object) => world.admin.put<Hook>(at(own.id), { body });
      for (const body of [
        { description: 'Reviewed' },
        { enabled: true },
        { types: [], url: base + newPath() },
      ])
        expect((await put(body)).body.scopes).toEqual(own.scopes);
      expect(await put({ types: ['room.deleted'] })).toMatchObject(invalid);
      const taken = await put({ types: ['room.deleted'], url: base + newPath(), take_scopes: true });
      expect(taken.body.scopes).toEqual(hook.scopes);
      const updates = { type: 'webhook.updated', target: `webhook:${own.id}` };
      const changes = async () => {
        const found = await world.admin.get<{ events: { data: { changed: string[] } }[] }>(EVENTS, {
          query: updates,
        });
        return found.body.events.map(({ data }) => data.changed);
      };
      await expect
        .poll(changes, PATIENCE)
        .toEqual([['description'], ['enabled'], ['url', 'types'], ['url', 'types', 'scopes']]);
      const room = await world.admin.post<{ room_id: string }>('/_proto/client/v3/createRoom', { body: {} });
      const quiet = newPath();
      await make({ url: base + quiet }, weak);
      await world.admin.post(path`/_service/admin/v1/rooms/${room.body.room_id}/block`, {
        body: { block: true },
      });
      const user = `@${world.freshName('seen')}:test`;
      await world.admin.put(path`/_service/admin/v2/users/${user}`, { body: { password: 'wonderland' } });
      const about = () => messagesAt(quiet).filter(({ targets }) => targets.includes(user));
      await expect.poll(() => about().length, PATIENCE).toBe(1);
      expect(messagesAt(quiet).some(({ type }) => type.startsWith('room.'))).toBe(false);
      for (const id of [own.id, hook.id]) await world.admin.delete(at(id));
    });

    it('webhooks are tested and repeated on request, and not while they are switched off', async () => {
      const { hook, target, change } = await watch();
      const tested = await world.admin.post<{ delivery_id: string }>(`${at(hook.id)}/test`);
      await expect.poll(() => messagesAt(target), PATIENCE).toMatchObject([{ type: 'webhook.test' }]);
      const of = async () => world.admin.get(`${at(hook.id)}/deliveries/${tested.body.delivery_id}`);
      await expect.poll(async () => (await of()).body, PATIENCE).toMatchObject({ state: 'delivered' });
      await change();
      await change();
      await expect.poll(() => messagesAt(target).length, PATIENCE).toBe(3);
      const [, first, second] = messagesAt(target);
      await expect
        .poll(async () => (await deliveriesOf(hook.id, { state: 'delivered' })).deliveries.length, PATIENCE)
        .toBe(3);
      const [delivery] = (await deliveriesOf(hook.id, { event_id: first?.id ?? '' })).deliveries;
      const replay = `${at(hook.id)}/deliveries/${delivery?.id}/replay`;
      expect(await world.admin.post(replay)).toMatchObject(ok);
      await expect.poll(() => messagesAt(target)[3], PATIENCE).toEqual(first);
      const again = await world.admin.post<{ task_id: string }>(`${at(hook.id)}/replay`, {
        body: { after: (second?.position ?? 1) - 1 },
      });
      expect(again).toMatchObject(ok);
      const task = () => world.admin.get(path`/_service/admin/v1/tasks/${again.body.task_id}`);
      await expect
        .poll(async () => (await task()).body, PATIENCE)
        .toMatchObject({ kind: 'webhook.replay', state: 'complete', target: `webhook:${hook.id}` });
      await expect.poll(() => messagesAt(target)[4], PATIENCE).toEqual(second);
      const since = { since_ts: 0, until_ts: 1 };
      expect(await world.admin.post(`${at(hook.id)}/replay`, { body: since })).toMatchObject(ok);
      expect(await world.admin.put(at(hook.id), { body: { enabled: false } })).toMatchObject({
        body: { disabled_reason: 'requested' },
      });
      const off = refusal(409, 'M_UNKNOWN');
      for (const order of [`${at(hook.id)}/test`, replay, `${at(hook.id)}/replay`])
        expect(await world.admin.post(order, { body: { after: 0 } })).toMatchObject(off);
      await change();
      expect(await world.admin.put(at(hook.id), { body: { enabled: true } })).toMatchObject({
        body: { disabled_reason: null },
      });
      await expect.poll(() => messagesAt(target)[5], PATIENCE).toMatchObject({ type: 'account.changed' });
    });

    it('webhooks are switched off by a 410, show failures, and end when they are deleted', async () => {
      const { hook, target, change } = await watch();
      statuses.set(target, 500);
      await change();
      const failing = async () => (await world.admin.get(at(hook.id))).body;
      await expect
        .poll(failing, PATIENCE)
        .toMatchObject({ enabled: true, failing_since_ts: expect.any(Number) });
      expect((await deliveriesOf(hook.id, { state: 'pending' })).deliveries).toHaveLength(1);
      statuses.set(target, 410);
      await change();
      await expect.poll(failing, PATIENCE).toMatchObject({ enabled: false, disabled_reason: 'gone' });
      const query = { type: 'webhook.disabled', target: `webhook:${hook.id}` };
      const disabled = async () =>
        (await world.admin.get<{ events: unknown[] }>(EVENTS, { query })).body.events;
      await expect
        .poll(disabled, PATIENCE)
        .toMatchObject([{ actor: null, data: { id: hook.id, reason: 'gone' } }]);
      expect(await world.admin.delete(at(hook.id))).toMatchObject(ok);
      for (const where of [at(hook.id), `${at(hook.id)}/deliveries`])
        expect(await world.admin.get(where)).toMatchObject(notFound);
      expect(await world.admin.delete(at(hook.id))).toMatchObject(notFound);
      expect(await world.admin.put(at(hook.id), { body: { enabled: true } })).toMatchObject(notFound);
    });

    it('webhooks are refused when they lead inside, and when a field is wrong', async () => {
      const { hook } = await watch();
      const url = base + newPath();
      const long = 'x'.repeat(300);
      const inside = [
        'http://10.1.2.3/',
        'https://[::1]:1/',
        'http://0xa000001/',
        'http://169.254.169.254/latest',
      ];
      const wrong = [
        ...inside,
        'ftp://example.org/',
        'https://u:p@example.org/',
        '',
        `https://example.org/${long.repeat(7)}`,
      ];
      for (const each of wrong) {
        expect(await world.admin.post(WEBHOOKS, { body: { url: each } }), each).toMatchObject(invalid);
        expect(await world.admin.put(at(hook.id), { body: { url: each } }), each).toMatchObject(invalid);
      }
      const fields = [
        { types: ['account.nonsense'] },
        { types: ['*'] },
        { types: Array.from({ length: 101 }, () => 'account.*') },
        { targets: Array.from({ length: 101 }, (_, index) => `@${index}:test`) },
        { targets: [''] },
        { targets: [long] },
        { description: long },
        { description: 'a\u0000b' },
        { url: 5 },
      ];
      for (const each of fields) {
        expect(await world.admin.post(WEBHOOKS, { body: { url, ...each } })).toMatchObject(invalid);
        expect(await world.admin.put(at(hook.id), { body: each })).toMatchObject(invalid);
      }
      for (const secret of ['whsec_', 'whsec_c2hvcnQ=', 'x', `whsec_${'A'.repeat(100)}`]) {
        const reply = await world.admin.post(WEBHOOKS, { body: { url, secret } });
        expect(reply).toMatchObject(invalid);
      }
      const rotate = `${at(hook.id)}/rotate_secret`;
      expect(await world.admin.post(rotate, { body: { overlap_ms: 604_800_001 } })).toMatchObject(invalid);
      const gone = refusal(410, 'STEWARD_POSITION_GONE', {
        oldest: expect.any(Number),
        latest: expect.any(Number),
      });
      expect(await world.admin.post(WEBHOOKS, { body: { url, after: 9_007_199_254_740_991 } })).toMatchObject(
        gone,
      );
      const replay = `${at(hook.id)}/replay`;
      expect(await world.admin.post(replay, { body: {} })).toMatchObject(refusal(400, 'M_MISSING_PARAM'));
      expect(await world.admin.post(replay, { body: { after: 0, since_ts: 0 } })).toMatchObject(invalid);
      expect(await world.admin.get(`${at(hook.id)}/deliveries/none`)).toMatchObject(notFound);
      expect(await world.admin.get(at('none'))).toMatchObject(notFound);
      const page = await world.admin.get<{ webhooks: Hook[]; next_token: string }>(WEBHOOKS, {
        query: { limit: 1 },
      });
      expect(page.body.webhooks).toHaveLength(1);
      expect((page.body.webhooks[0]?.id ?? '') > page.body.next_token).toBe(true);
      const next = await world.admin.get<{ webhooks: Hook[] }>(WEBHOOKS, {
        query: { limit: 1, from: page.body.next_token },
      });
      expect(next.body.webhooks[0]?.id).toBe(page.body.next_token);
    });
  },
  { config: openServer },
);
