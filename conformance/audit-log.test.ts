import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { DescField, DescMessage } from '@bufbuild/protobuf';
import { ScalarType } from '@bufbuild/protobuf';
import { auditedMethod } from '@steward/audit';
import { services } from '@steward/gateway';
import { Audit, Scope } from '@steward/proto/steward/http/v1/annotations_pb.ts';
import { type Actor, path } from '@steward/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chapter, inOneProcess, ownChapter } from './chapter.ts';
import { documentedEndpoints } from './documented-endpoints.ts';
import { getBytes } from './get-bytes.ts';
import { uploadFile, uriOf } from './media-files.ts';
import { refusal } from './refusal.ts';
import { fill, served, servedOnce, shapeOf } from './served.ts';
import { strictServer } from './shared-settings.ts';

const ADMIN = '/_service/admin';
const LOG = `${ADMIN}/v1/audit_log`;
const CLIENT = '/_proto/client/v3';

/** The methods that return private content, by the name of their action, from their scope. */
const content = servedOnce
  .filter(({ rules }) => rules.scope === Scope.ROOMS_CONTENT)
  .map(({ method }) => auditedMethod(method).action);

/** How often the log is polled for an entry, and the delay between polls, in milliseconds. */
const READS = 400;
const PAUSE_MS = 25;

/** More entries than any case waits for. */
const NEWEST = 25;

interface Entry {
  readonly id: string;
  readonly action: string;
  readonly outcome: string;
  readonly request_id: string;
  readonly [key: string]: unknown;
}

interface Page {
  readonly entries: readonly Entry[];
  readonly next_token?: string;
}

/** The endpoints whose calls are recorded once their handler knows that the caller may make them, or what they plan. */
const byHandler = new Set(
  served
    .filter(({ rules }) => rules.audit === Audit.BY_HANDLER || rules.plansRequests)
    .map(({ verb, template }) => `${verb} ${shapeOf(template)}`),
);

/** What a verification answers. */
interface Verified {
  readonly unchained: number;
  readonly next_number?: number;
}

/** A line of an export, or a checkpoint. */
interface Line {
  readonly kind: string;
  readonly number: number;
  readonly hash: string;
  readonly entry: Readonly<Record<string, unknown>>;
  readonly [key: string]: unknown;
}

/** JSON with ordered keys and without white space; enough for keys of ASCII characters. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) =>
    part !== null && typeof part === 'object' && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** What only answers a challenge: the request that answers it is recorded. */
const CHALLENGES: ReadonlySet<string> = new Set([
  'POST /_service/admin/v1/session/passkey',
  'POST /_service/admin/v1/session/step_up/passkey',
]);

/** The changing endpoints of administrators, as documented and as declared. */
const changing = [
  ...documentedEndpoints
    .filter(({ path: template }) => template.startsWith(ADMIN))
    .map(({ verb, path: template }) => ({ verb, template })),
  ...served.filter(({ template }) => template.startsWith(ADMIN)),
].filter(
  ({ verb, template }) =>
    verb !== 'GET' &&
    !byHandler.has(`${verb} ${shapeOf(template)}`) &&
    !CHALLENGES.has(`${verb} ${template}`),
);

/** An entry without its place in the hash chain. */
const unplaced = ({ number: _, hash: __, ...entry }: Entry): Entry => entry as Entry;

chapter(
  'The audit log',
  (world, { isOneProcess }) => {
    let root: Actor;
    let requests = 0;

    const freshId = () => `audit-test-${++requests}`;
    const list = async (query: Readonly<Record<string, string | number>> = {}) => {
      const reply = await world.admin.get<Page>(LOG, { query });
      expect(reply.status).toBe(200);
      return reply.body;
    };
    /** Returns the entry of a request once it has its outcome, without its place in the hash chain, which follows later. */
    const entryOf = async (requestId: string): Promise<Entry> => {
      for (let read = 0; read < READS; read++) {
        const { entries } = await list({ limit: NEWEST });
        const found = entries.find((entry) => entry.request_id === requestId && entry.outcome !== 'unknown');
        if (found) return unplaced(found);
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      }
      throw new Error(`There is no entry of ${requestId}`);
    };
    /** Sends a request and returns its entry. */
    const recorded = async (
      verb: string,
      target: string,
      who: Actor,
      body?: unknown,
      further: Readonly<Record<string, string>> = {},
    ) => {
      const requestId = freshId();
      const headers = { 'x-request-id': requestId, ...further };
      const reply = await world.http(verb, target, { token: who.token, headers, body });
      return { reply, entry: await entryOf(requestId) };
    };

    /** A room of a user with a message. */
    const roomOf = async (user: Actor, preset: string) => {
      const room = (await user.post<{ room_id: string }>(`${CLIENT}/createRoom`, { body: { preset } })).body
        .room_id;
      const body = { msgtype: 'm.text', body: 'a private message' };
      const send = path`/_proto/client/v3/rooms/${room}/send/m.room.message/${world.freshName('txn')}`;
      const event = (await user.put<{ event_id: string }>(send, { body })).body.event_id;
      return { room, event };
    };
    /** Logs an administrator in as another user. */
    const actingAs = async (administrator: Actor, user: Actor) => {
      const login = path`/_service/admin/v1/users/${user.userId}/login`;
      const { body } = await administrator.post<{ access_token: string }>(login, { body: {} });
      return world.actor({ ...user, token: body.access_token });
    };
    /** The actions and targets of the entries of an actor, oldest first, once there are as many. */
    const actionsOf = async (actor: Actor, expected: number) => {
      const entries = async () => (await list({ actor: actor.userId, limit: 1_000 })).entries;
      await expect.poll(async () => (await entries()).length).toBeGreaterThanOrEqual(expected);
      return (await entries()).toReversed().map(({ action, targets }) => [action, targets]);
    };

    beforeAll(async () => {
      root = await world.user('root', { admin: true });
    });

    it('has an entry for every change by an administrator', async () => {
      const sent = new Map<string, string>();
      for (const { verb, template } of changing) {
        const name = `${verb} ${template}`;
        if (sent.has(name)) continue;
        const requestId = freshId();
        const target = fill(template, (variable) => (variable === 'user_id' ? world.userId('x') : 'x'));
        const headers = { 'x-request-id': requestId };
        const { status } = await world.http(verb, target, { token: root.token, headers });
        expect(status, name).not.toBe(401);
        sent.set(name, requestId);
      }
      const missing = async () => {
        const { entries } = await list({ actor: root.userId, limit: 1_000 });
        const ended = new Set(
          entries.flatMap((entry) => (entry.outcome === 'unknown' ? [] : [entry.request_id])),
        );
        return [...sent].flatMap(([name, requestId]) => (ended.has(requestId) ? [] : [name]));
      };
      await expect.poll(missing).toEqual([]);
      expect(sent.size).toBeGreaterThan(40);
    });

    it('records caller, action, address and outcome, without secrets', async () => {
      const userId = world.userId(world.freshName('new'));
      const body = {
        password: 'a secret password',
        displayname: 'New',
        threepids: [{ medium: 'email', address: 'new@example.org' }],
        avatar_url: null,
      };
      const put = path`/_service/admin/v2/users/${userId}`;
      const { reply, entry } = await recorded('PUT', put, root, body);
      expect(reply.status).toBe(201);
      expect(entry).toEqual({
        id: expect.any(String),
        ts: expect.any(Number),
        action: 'user.put_user',
        actor: root.userId,
        acting_as: null,
        token_kind: 'device',
        device_id: root.deviceId,
        address: '127.0.0.1',
        request_id: entry.request_id,
        targets: [userId],
        request: {
          user_id: userId,
          password: '[redacted]',
          displayname: 'New',
          threepids: [{ medium: 'email', address: '[redacted]' }],
          avatar_url: null,
        },
        request_truncated: false,
        outcome: 'ok',
        status: 201,
        errcode: null,
        task_id: null,
        ended_ts: expect.any(Number),
        attempts: 1,
        reason: null,
        amends: null,
      });
    });

    it('records flags and numbers that are false or 0', async () => {
      const { userId } = await world.user();
      const sent: [verb: string, target: string, body: object, described: object][] = [
        ['PUT', path`/_service/admin/v1/users/${userId}/admin`, { admin: false }, {}],
        ['PUT', path`/_service/admin/v2/users/${userId}`, { locked: false, admin: false }, {}],
        ['PUT', path`/_service/admin/v1/suspend/${userId}`, { suspend: false }, {}],
        [
          'POST',
          path`/_service/admin/v1/users/${userId}/override_ratelimit`,
          { messages_per_second: 0, burst_count: 0 },
          {},
        ],
        ['POST', path`/_service/admin/v1/deactivate/${userId}`, {}, { erase: false }],
      ];
      for (const [verb, target, body, described] of sent) {
        const { entry } = await recorded(verb, target, root, body);
        expect(entry.request, target).toEqual({ user_id: userId, ...body, ...described });
      }
      const room = world.freshName('!room');
      const block = path`/_service/admin/v1/rooms/${`${room}:test`}/block`;
      const { entry } = await recorded('PUT', block, root, { block: false });
      expect(entry.request).toEqual({ room_id: `${room}:test`, block: false });
    });

    it('has keyed fingerprints of registration tokens, by which those who know a token find its entries', async () => {
      const token = 'abc1';
      const made = await recorded('POST', `${ADMIN}/v1/registration_tokens/new`, root, { token });
      const changed = await recorded('PUT', `${ADMIN}/v1/registration_tokens/${token}`, root, {
        uses_allowed: 1,
      });
      await recorded('POST', `${ADMIN}/v1/registration_tokens/new`, root, { token: 'abc2' });
      expect(made.entry.targets).toEqual([expect.stringMatching(/^hmac:[0-9a-f]{12}$/)]);
      expect(made.entry.targets).not.toEqual([`hmac:${sha256(token).slice(0, 12)}`]);
      const query = { registration_token: token };
      expect((await list(query)).entries.map(unplaced)).toEqual([changed.entry, made.entry]);
      expect((await list({ ...query, target: 'other' })).entries).toEqual([]);
      const body = { name: 'auditor', scopes: ['audit:read'] };
      const auditor = (await root.post<{ token: string }>(`${ADMIN}/v1/tokens`, { body })).body;
      const reply = await world.http('GET', LOG, { token: auditor.token, query });
      expect(reply).toMatchObject({
        status: 403,
        body: { error: expect.stringContaining('registration_tokens:read') },
      });
    });

    it('names the task that the request created', async () => {
      const room = (await root.post<{ room_id: string }>('/_proto/client/v3/createRoom', { body: {} })).body
        .room_id;
      const { reply, entry } = await recorded('DELETE', path`/_service/admin/v2/rooms/${room}`, root, {});
      expect(entry).toMatchObject({ targets: [room], task_id: reply.body.delete_id, outcome: 'ok' });
    });

    it('records the administrator whose token acted as a user', async () => {
      const other = await world.user('other', { admin: true });
      const login = await recorded('POST', path`/_service/admin/v1/users/${other.userId}/login`, root, {});
      expect(login.entry).toMatchObject({ action: 'user.login_as', targets: [other.userId] });
      expect(JSON.stringify(login.entry)).not.toContain(login.reply.body.access_token);
      const as = world.actor({ ...other, token: String(login.reply.body.access_token) });
      const { entry } = await recorded('DELETE', `${ADMIN}/v1/registration_tokens/none`, as);
      expect(entry).toMatchObject({
        actor: root.userId,
        acting_as: other.userId,
        token_kind: 'login_as',
        device_id: null,
        outcome: 'refused',
        status: 404,
        errcode: 'M_NOT_FOUND',
      });
      expect(JSON.stringify(entry)).not.toContain('none');
    });

    it('has an entry for each registration with the shared secret', async () => {
      const username = world.freshName('registered');
      await world.register({ username, password: 'p' });
      const userId = world.userId(username);
      await expect
        .poll(async () => (await list({ target: userId })).entries)
        .toMatchObject([
          {
            action: 'user.register_with_secret',
            actor: null,
            token_kind: 'shared_secret',
            targets: [username, userId],
          },
        ]);
    });

    it("has an entry for each client API request that an administrator's right allowed", async () => {
      const user = await world.user();
      const name = path`/_proto/client/v3/profile/${user.userId}/displayname`;
      const { entry } = await recorded('PUT', name, root, { displayname: 'Renamed' });
      expect(entry).toMatchObject({ action: 'user.put_displayname', targets: [user.userId], outcome: 'ok' });
      await user.put(name, { body: { displayname: 'By myself' } });
      expect((await list({ actor: user.userId })).entries).toEqual([]);
    });

    it('has entries for attempts by users, and none for unauthenticated requests', async () => {
      const user = await world.user();
      const { entry } = await recorded('POST', path`/_service/admin/v1/deactivate/${root.userId}`, user, {});
      expect(entry).toMatchObject({
        action: 'user.deactivate',
        actor: user.userId,
        targets: [root.userId],
        outcome: 'refused',
        status: 403,
        errcode: 'M_FORBIDDEN',
      });
      const target = world.userId(world.freshName('spared'));
      const reset = path`/_service/admin/v1/reset_password/${target}`;
      await world.http('POST', reset, { body: {} });
      await world.http('POST', reset, { body: {}, token: 'nobody' });
      const after = await recorded('POST', reset, root, { new_password: 'x' });
      expect((await list({ target })).entries.map(unplaced)).toEqual([after.entry]);
    });

    // Each process counts for itself.
    inOneProcess(() => {
      it('bounds the entries for attempts by one user, and counts the others', async () => {
        const [user, other] = [await world.user(), await world.user()];
        const [single, further] = [100, 8];
        const attempt = (by: Actor) =>
          by.post(path`/_service/admin/v1/deactivate/${root.userId}`, { body: {} });
        for (let n = 0; n < single + further; n++)
          expect(await attempt(user)).toMatchObject(refusal(403, 'M_FORBIDDEN'));
        await attempt(other);
        const attemptsOf = async ({ userId }: Actor) =>
          (await list({ actor: userId, limit: 1_000 })).entries.map(({ attempts }) => attempts);
        await expect.poll(() => attemptsOf(user)).toEqual([4, 2, 1, 1, ...Array(single).fill(1)]);
        await expect.poll(() => attemptsOf(other)).toEqual([1]);
      });
    });

    it('can be filtered and paged, newest first', async () => {
      const actor = await world.user('auditor', { admin: true });
      const target = world.userId(world.freshName('filtered'));
      const put = path`/_service/admin/v2/users/${target}`;
      const made = (await recorded('PUT', put, actor, {})).entry;
      world.moveClock?.(1_000);
      const invalid = (await recorded('PUT', put, actor, { admin: 'x' })).entry;
      const gone = (await recorded('POST', path`/_service/admin/v1/deactivate/${target}`, actor, {})).entry;
      const ids = async (query: Readonly<Record<string, string | number>>) =>
        (await list({ actor: actor.userId, ...query })).entries.map(({ id }) => id);
      expect(await ids({})).toEqual([gone.id, invalid.id, made.id]);
      expect(await ids({ target })).toEqual([gone.id, invalid.id, made.id]);
      expect(await ids({ action: 'user.put_user' })).toEqual([invalid.id, made.id]);
      expect(await ids({ outcome: 'refused' })).toEqual([invalid.id]);
      expect(await ids({ request_id: String(invalid.request_id) })).toEqual([invalid.id]);
      expect(await ids({ from: invalid.id })).toEqual([invalid.id, made.id]);
      expect(await ids({ outcome: 'ok', action: 'user.put_user', target })).toEqual([made.id]);
      expect(await ids({ target: '@nobody:test' })).toEqual([]);
      const from = Number(invalid.ts);
      expect(await ids({ from_ts: from, until_ts: Number(gone.ts) + 1 })).toContain(invalid.id);
      expect(await ids({ from_ts: Number(gone.ts) + 1 })).toEqual([]);
      expect(await ids({ until_ts: Number(made.ts) })).toEqual([]);
      expect(await ids({ until_ts: Number(made.ts) + 1 })).toContain(made.id);

      const pages: string[][] = [];
      for (let from: string | undefined; pages.length < 4; ) {
        const query = { actor: actor.userId, limit: 2, ...(from === undefined ? {} : { from }) };
        const page = await list(query);
        pages.push(page.entries.map(({ id }) => id));
        from = page.next_token;
        if (from === undefined) break;
      }
      expect(pages).toEqual([[gone.id, invalid.id], [made.id]]);
      expect(await list({ limit: 0 })).toEqual({ entries: [] });
    });

    it.each(['from=x', 'from=%00', 'limit=-1', 'limit=x', 'outcome=fine', 'from_ts=-1', 'until_ts=x'])(
      'refuses %s',
      async (query) => {
        expect(await world.admin.get(`${LOG}?${query}`)).toMatchObject(refusal(400, 'M_INVALID_PARAM'));
      },
    );

    it('accepts any text as a filter', async () => {
      for (const text of ['\0', '\u{1F9F9}'.repeat(300), '%', '$ne', ''])
        expect(await list({ target: text, action: text, actor: text })).toEqual({ entries: [] });
    });

    it('stores targets with any text', async () => {
      const device = `\0${'\u{1F9F9}'.repeat(200)}`;
      const target = path`/_service/admin/v2/users/${root.userId}/devices/${device}`;
      const { entry } = await recorded('DELETE', target, root);
      const { entries } = await list({ target: device });
      expect(entries.map(unplaced)).toEqual([entry]);
    });

    describe('reads of private content', () => {
      /** The requests for each method that returns private content. */
      const requests: Readonly<Record<string, (room: string, event: string) => string>> = {
        'room.list_room_state': (room) => path`/_service/admin/v1/rooms/${room}/state`,
        'room.list_room_receipts': (room) => path`/_service/admin/v1/rooms/${room}/receipts`,
        'room.list_room_messages': (room) => path`/_service/admin/v1/rooms/${room}/messages`,
        'room.find_room_event_by_time': (room) =>
          `${path`/_service/admin/v1/rooms/${room}/timestamp_to_event`}?ts=0`,
        'room.get_room_event_context': (room, event) =>
          path`/_service/admin/v1/rooms/${room}/context/${event}`,
        'room.fetch_event': (_, event) => path`/_service/admin/v1/fetch_event/${event}`,
      };

      it('reads of private content are recorded for every method with such a scope', () => {
        const copies = ['moderation.get_case_excerpts', 'moderation.get_report_evidence'];
        const others = [...copies, 'user.list_account_data'];
        expect(content.toSorted()).toEqual([...Object.keys(requests), ...others].toSorted());
      });

      it('of rooms are recorded unless everyone may read the room', async () => {
        const reader = await world.user('reader', { admin: true });
        const user = await world.user();
        const hidden = await roomOf(user, 'private_chat');
        const open = await roomOf(user, 'public_chat');
        for (const target of Object.values(requests))
          expect((await reader.get(target(open.room, open.event))).status).toBe(200);
        for (const [action, target] of Object.entries(requests)) {
          const { reply, entry } = await recorded('GET', target(hidden.room, hidden.event), reader);
          expect(reply.status).toBe(200);
          expect(entry).toMatchObject({ action, actor: reader.userId, outcome: 'ok', status: 200 });
          expect(entry.targets).toContain(hidden.room);
          expect(JSON.stringify(entry)).not.toContain('a private message');
        }
        await user.put(path`/_proto/client/v3/rooms/${open.room}/state/m.room.encryption`, {
          body: { algorithm: 'm.megolm.v1.aes-sha2' },
        });
        const state = path`/_service/admin/v1/rooms/${open.room}/state`;
        await recorded('GET', state, reader);
        const reads = Object.keys(requests).length + 1;
        expect(await actionsOf(reader, reads)).toHaveLength(reads);
      });

      it('of account data are recorded unless they are the own ones', async () => {
        const reader = await world.user('reader', { admin: true });
        const of = ({ userId }: Actor) => path`/_service/admin/v1/users/${userId}/accountdata`;
        await reader.get(of(reader));
        await recorded('GET', of(root), reader);
        expect(await actionsOf(reader, 1)).toEqual([['user.list_account_data', [root.userId]]]);
      });

      it('of reported events are recorded', async () => {
        const reader = await world.user('reader', { admin: true });
        const user = await world.user();
        for (const preset of ['public_chat', 'private_chat']) {
          const { room, event } = await roomOf(user, preset);
          await user.post(path`/_proto/client/v3/rooms/${room}/report/${event}`, { body: {} });
          const { body } = await world.admin.get<{ event_reports: { id: number }[] }>(
            `${ADMIN}/v1/event_reports`,
            { query: { room_id: room } },
          );
          const report = `${ADMIN}/v1/event_reports/${body.event_reports[0]?.id}`;
          expect((await reader.get(report)).status).toBe(200);
          if (preset === 'public_chat') continue;
          const [[action, targets] = []] = await actionsOf(reader, 1);
          expect(action).toBe('moderation.get_event_report');
          expect(targets).toEqual([String(body.event_reports[0]?.id), event, room]);
          expect(await actionsOf(reader, 1)).toHaveLength(1);
        }
      });

      it('of copies of reported events are recorded, also if everyone may read the room', async () => {
        const reader = await world.user('reader', { admin: true });
        const user = await world.user();
        const { room, event } = await roomOf(user, 'public_chat');
        await user.post(path`/_proto/client/v3/rooms/${room}/report/${event}`, { body: {} });
        const { body } = await world.admin.get<{ reports: { id: string; case_id: string }[] }>(
          `${ADMIN}/v1/reports`,
          { query: { room_id: room } },
        );
        const [report] = body.reports;
        const evidence = path`/_service/admin/v1/reports/${report?.id ?? ''}/evidence`;
        const { reply, entry } = await recorded('GET', evidence, reader);
        expect(reply.status).toBe(200);
        expect(entry).toMatchObject({ action: 'moderation.get_report_evidence', outcome: 'ok' });
        expect(entry.targets).toEqual(
          expect.arrayContaining([`report:${report?.case_id}`, event, room, user.userId]),
        );
        expect(JSON.stringify(entry)).not.toContain('a private message');
      });

      it('of quarantined media are recorded, and need a reason where one is required', async () => {
        const reader = await world.user('reader', { admin: true });
        const reason = { 'x-steward-reason': 'report 4711' };
        const media = await uploadFile(await world.user());
        const bypass = `${path`/_proto/client/v1/media/download/${world.serverName}/${media}`}?admin_unsafely_bypass_quarantine=true`;
        expect((await reader.get(bypass)).status).toBe(200);
        const quarantine = path`/_service/admin/v1/media/quarantine/${world.serverName}/${media}`;
        expect(await reader.post(quarantine, { body: {} })).toMatchObject(refusal(400, 'M_MISSING_PARAM'));
        await recorded('POST', quarantine, root, {}, reason);
        expect(await reader.get(bypass)).toMatchObject(refusal(400, 'M_MISSING_PARAM'));
        const { reply, entry } = await recorded('GET', bypass, reader, undefined, reason);
        expect(reply.status).toBe(200);
        expect(entry).toMatchObject({
          action: 'media.download',
          targets: [media],
          outcome: 'ok',
          status: 200,
          reason: 'report 4711',
        });
        const partly = { ...reason, range: 'bytes=0-3' };
        expect((await recorded('GET', bypass, reader, undefined, partly)).entry.status).toBe(206);
      });

      it('by users are recorded as attempts', async () => {
        const user = await world.user();
        const { room } = await roomOf(await world.user(), 'private_chat');
        const messages = path`/_service/admin/v1/rooms/${room}/messages`;
        const { entry } = await recorded('GET', messages, user);
        expect(entry).toMatchObject({ outcome: 'refused', status: 403, targets: [room] });
      });
    });

    describe('reasons', () => {
      const put = () => path`/_service/admin/v2/users/${world.userId(world.freshName('new'))}`;

      it('reasons are recorded', async () => {
        const reason = { 'x-steward-reason': 'ticket%204711: Pr%C3%BCfung' };
        expect((await recorded('PUT', put(), root, {}, reason)).entry.reason).toBe('ticket 4711: Prüfung');
        const invalid = await recorded('PUT', put(), root, { admin: 1 }, reason);
        expect(invalid.entry).toMatchObject({ outcome: 'refused', reason: 'ticket 4711: Prüfung' });
      });

      it.each(['x'.repeat(513), 'a%00b', '%FF'])('are refused if they are invalid: %j', async (reason) => {
        const target = put();
        const headers = { 'x-steward-reason': reason };
        expect(await root.put(target, { body: {}, headers })).toMatchObject(refusal(400, 'M_INVALID_PARAM'));
        expect((await root.get(target)).status).toBe(404);
      });

      it('reasons are required by scopes of set fields, before anything is done', async () => {
        const { userId } = await world.user();
        const deactivate = path`/_service/admin/v1/deactivate/${userId}`;
        const refused = await root.post(deactivate, { body: { erase: true } });
        expect(refused).toMatchObject(refusal(400, 'M_MISSING_PARAM'));
        expect(refused.text).toContain('X-Steward-Reason');
        const user = await root.get(path`/_service/admin/v2/users/${userId}`);
        expect(user.body.deactivated).toBe(0);
        expect((await root.post(deactivate, { body: { erase: false } })).status).toBe(200);
      });

      it('cannot be stated in the internal header', async () => {
        const headers = { 'steward-reason': 'forged' };
        expect((await recorded('PUT', put(), root, {}, headers)).entry.reason).toBeNull();
      });
    });

    describe('an administrator who acts as a user', () => {
      it('an administrator who acts as a user is recorded with each change, without what was written', async () => {
        const administrator = await world.user('impostor', { admin: true });
        const user = await world.user();
        const { room } = await roomOf(user, 'private_chat');
        const as = await actingAs(administrator, user);
        const send = path`/_proto/client/v3/rooms/${room}/send/m.room.message/1`;
        const message = { msgtype: 'm.text', body: 'written by another' };
        const { reply, entry } = await recorded('PUT', send, as, message);
        expect(entry).toMatchObject({
          action: 'room.send_event',
          actor: administrator.userId,
          acting_as: user.userId,
          token_kind: 'login_as',
          device_id: null,
          targets: [room, reply.body.event_id],
          request: { room_id: room, event_type: 'm.room.message', txn_id: '1' },
          outcome: 'ok',
          status: 200,
        });
        const media = await uploadFile(as, { name: 'secret name' });
        const invite = path`/_proto/client/v3/rooms/${room}/invite`;
        await as.post(invite, { body: { user_id: root.userId } });
        expect(await as.put(send, { rawBody: '{' })).toMatchObject({ status: 400 });
        const other = path`/_proto/client/v3/rooms/!other:test/invite`;
        expect(await as.post(other, { body: { user_id: root.userId } })).toMatchObject({ status: 403 });
        expect(await actionsOf(administrator, 6)).toEqual([
          ['user.login_as', [user.userId]],
          ['room.send_event', [room, reply.body.event_id]],
          ['media.upload', [uriOf(world, media)]],
          ['room.invite', [room, root.userId]],
          ['room.send_event', [room]],
          ['room.invite', ['!other:test', root.userId]],
        ]);
      });

      // Each process remembers what it has recorded.
      inOneProcess(() => {
        it('an administrator who acts as a user is recorded with the reads of each kind once an hour', async () => {
          const administrator = await world.user('reader', { admin: true });
          const user = await world.user();
          const { room, event } = await roomOf(user, 'private_chat');
          const media = await uploadFile(user);
          const as = await actingAs(administrator, user);
          const reads = [
            `${CLIENT}/sync`,
            `${path`/_proto/client/v3/rooms/${room}/messages`}?dir=b`,
            path`/_proto/client/v3/rooms/${room}/event/${event}`,
            path`/_proto/client/v1/media/download/${world.serverName}/${media}`,
          ];
          const missing = path`/_proto/client/v3/rooms/${room}/event/$none`;
          for (let n = 0; n < 2; n++) {
            expect((await as.get(missing)).status).toBe(404);
            for (const read of reads) expect((await as.get(read)).status, read).toBe(200);
          }
          const last = await recorded('GET', path`/_proto/client/v3/rooms/${room}/state`, as);
          expect(last.entry).toMatchObject({ actor: administrator.userId, acting_as: user.userId });
          const read = await actionsOf(administrator, 8);
          expect(read.toSorted()).toEqual(
            [
              ['media.download', [media]],
              ['room.get_event', [room, '$none']],
              ['room.get_event', [room, '$none']],
              ['room.get_event', [room, event]],
              ['room.list_messages', [room]],
              ['room.list_state', [room]],
              ['room.sync', []],
              ['user.login_as', [user.userId]],
            ].toSorted(),
          );
        });
      });

      it('an administrator who acts as a user is named in the connections of their account', async () => {
        const administrator = await world.user('seen', { admin: true });
        const user = await world.user();
        const as = await actingAs(administrator, user);
        await as.get(`${CLIENT}/account/whoami`);
        await world.whenIdle();
        const whois = await root.get(path`/_service/admin/v1/whois/${administrator.userId}`);
        expect(JSON.stringify(whois.body)).toContain(`"acting_as":"${user.userId}"`);
        expect((await root.get(path`/_service/admin/v1/whois/${user.userId}`)).text).not.toContain(
          'acting_as',
        );
      });
    });

    it('can be read by administrators only, and reading it is not recorded', async () => {
      const user = await world.user();
      expect(await user.get(LOG)).toMatchObject(refusal(403, 'M_FORBIDDEN'));
      const actor = await world.user('reader', { admin: true });
      expect((await actor.get(LOG)).status).toBe(200);
      await recorded('POST', `${ADMIN}/v1/deactivate/x`, root, {});
      for (const { userId } of [user, actor]) expect((await list({ actor: userId })).entries).toEqual([]);
    });

    it.runIf(isOneProcess)('survives a restart', async () => {
      const outcomes = async () => (await list()).entries.map(({ outcome }) => outcome);
      await expect.poll(outcomes).not.toContain('unknown');
      const before = await list();
      await world.restart();
      // Entries whose write has not finished may be missing.
      const known = new Set(before.entries.map(({ id }) => id));
      const { entries } = await list({ limit: 1_000 });
      expect(entries.filter(({ id }) => known.has(id)).map(unplaced)).toEqual(before.entries.map(unplaced));
      const { body } = await world.admin.get(`${LOG}/verify`);
      expect(body).toMatchObject({ valid: true, complete: true, error: null });
    });
  },
  { config: strictServer },
);

const keys = generateKeyPairSync('ed25519');
const keyFile = join(mkdtempSync(join(tmpdir(), 'audit-key-')), 'key.pem');
writeFileSync(keyFile, keys.privateKey.export({ type: 'pkcs8', format: 'pem' }));

ownChapter(
  'The hash chain of the audit log',
  (world) => {
    afterAll(() => rmSync(dirname(keyFile), { recursive: true }));

    /** Makes changes in pairs, and waits until no entry is without a number. */
    const change = async (count: number) => {
      for (let n = 0; n < count; n += 2) {
        const put = () =>
          world.admin.put(path`/_service/admin/v2/users/${world.userId(world.freshName('chained'))}`, {
            body: {},
          });
        await Promise.all([put(), put()]);
      }
      await expect.poll(async () => (await verify()).unchained, { timeout: 20_000 }).toBe(0);
    };
    const verify = async (query = '') => (await world.admin.get<Verified>(`${LOG}/verify${query}`)).body;
    const lines = async (query = ''): Promise<readonly Line[]> => {
      const { status, headers, body } = await getBytes(world.running.url, `${LOG}/export${query}`, {
        authorization: `Bearer ${world.admin.token}`,
      });
      expect({ status, type: headers['content-type'] }).toEqual({
        status: 200,
        type: 'application/x-ndjson',
      });
      const text = body.toString();
      expect(text.endsWith('\n')).toBe(true);
      return text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line));
    };

    it('has every entry, numbered without gaps, as anyone can compute', async () => {
      await change(30);
      const { entries: listed } = (await world.admin.get<Page>(LOG, { query: { limit: 1_000 } })).body;
      const exported = await lines();
      expect([exported[0]?.kind, exported.at(-1)?.kind]).toEqual(['header', 'end']);
      const chained = exported.filter(({ kind }) => kind === 'entry');
      let previous = '0'.repeat(64);
      for (const [index, { number, hash, entry }] of chained.entries()) {
        expect(number).toBe(index + 1);
        expect(sha256(canonical({ entry, number, previous }))).toBe(hash);
        previous = hash;
      }
      const placeOf = ({ id, number, hash }: Readonly<Record<string, unknown>>) => [id, number, hash];
      const places = chained.map(({ entry, ...place }) => placeOf({ ...place, id: entry.id }));
      expect(places).toEqual(expect.arrayContaining(listed.map(placeOf)));
      expect(places.length).toBeGreaterThanOrEqual(listed.length);
      expect(await verify()).toMatchObject({ valid: true, complete: true, first_number: 1, error: null });
    });

    it('has signed checkpoints, every few entries and on demand', async () => {
      await change(30);
      const { status, body: made } = await world.admin.post<Line>(`${LOG}/checkpoints`, { body: {} });
      expect(status).toBe(200);
      const { number, hash, signature, key_id, ...content } = made;
      const signed = {
        purpose: 'steward-audit-checkpoint-1',
        server_name: 'test',
        number,
        hash,
        key_id,
        ...content,
      };
      expect(sign(null, Buffer.from(canonical(signed)), keys.privateKey).toString('base64')).toBe(signature);
      const listed = (await world.admin.get<{ checkpoints: readonly Line[] }>(`${LOG}/checkpoints`)).body
        .checkpoints;
      expect(listed.map((one) => one.number)).toEqual(expect.arrayContaining([20, 40, number]));
      expect(
        (await lines()).filter(({ kind }) => kind === 'checkpoint').map(({ kind: _, ...one }) => one),
      ).toEqual([...listed].reverse());
      const first = (await world.admin.get<Page>(`${LOG}/checkpoints?limit=1`)).body;
      const next = await world.admin.get(`${LOG}/checkpoints?limit=1&from=${first.next_token}`);
      expect(next.body).toMatchObject({ checkpoints: [listed[1]] });
    });

    it('can be verified and exported in parts', async () => {
      await change(30);
      const part = await verify('?limit=10');
      expect(part).toMatchObject({ valid: true, complete: false, entries: 10, next_number: 11 });
      const rest = await verify(`?from_number=${part.next_number}`);
      expect(rest).toMatchObject({ valid: true, complete: true, first_number: 11 });
      const numbers = (await lines('?from_number=19&to_number=21')).map(
        ({ kind, number }) => `${kind} ${number ?? ''}`,
      );
      expect(numbers).toEqual(['header ', 'entry 19', 'entry 20', 'checkpoint 20', 'entry 21', 'end 21']);
      for (const query of ['verify?from_number=99999', 'export?from_number=99999'])
        expect(await world.admin.get(`${LOG}/${query}`)).toMatchObject(refusal(404, 'M_NOT_FOUND'));
      for (const query of [
        'verify?limit=0',
        'verify?from_number=0',
        'export?to_number=x',
        'checkpoints?from=x',
      ])
        expect(await world.admin.get(`${LOG}/${query}`)).toMatchObject(refusal(400, 'M_INVALID_PARAM'));
    });

    it('can be verified with the scope to read the log, which makes no checkpoint', async () => {
      const auditor = await world.user();
      const roles = path`/_service/admin/v1/users/${auditor.userId}/roles`;
      expect((await world.admin.put(roles, { body: { roles: ['auditor'] } })).status).toBe(200);
      expect((await auditor.get(`${LOG}/verify`)).status).toBe(200);
      expect((await auditor.get(`${LOG}/checkpoints`)).status).toBe(200);
      expect(await auditor.post(`${LOG}/checkpoints`, { body: {} })).toMatchObject(
        refusal(403, 'M_FORBIDDEN'),
      );
    });
  },
  { config: { audit: { signing_key_file: keyFile, checkpoint_entries: 20 } } },
);

describe('audited methods', () => {
  const methods = services
    .flatMap((service) => service.methods)
    .map((method) => ({ method, ...auditedMethod(method) }));
  const audited = methods.filter(({ recordedCalls }) => recordedCalls !== 'as_another_user');

  it('have distinct names', () => {
    const names = methods.map(({ action }) => action);
    expect(new Set(names).size).toBe(names.length);
  });

  it.each(audited)('$action: declares its secrets, in one message', ({ method }) => {
    // Of a stream of bytes the first message has everything but bytes, which are not recorded.
    expect(method.methodKind).not.toBe('bidi_streaming');
    expect(unguarded(method.input)).toEqual([]);
  });

  it.each(methods.filter(({ recordedCalls }) => recordedCalls === 'as_another_user'))(
    '$action: declares the secrets that are recorded',
    ({ method, isAdministrative, pathFields }) => {
      const inPath = [...pathFields].map(({ name }) => `${method.input.typeName}.${name}`);
      expect(unguarded(method.input).filter((name) => isAdministrative || inPath.includes(name))).toEqual([]);
    },
  );
});

/** Names of fields whose values must not be stored in clear text. */
const SECRET = /password|token|secret|^mac$|nonce|address|content/;

/** Fields that have such a name and hold no secret: the networks from which a token is accepted. */
const SHOWN = new Set(['allowed_addresses']);

/** The string fields of a message that have such a name and are not declared as secret. */
function unguarded(schema: DescMessage, seen = new Set<DescMessage>()): readonly string[] {
  if (seen.has(schema)) return [];
  seen.add(schema);
  return schema.fields.flatMap((field: DescField) => {
    if (field.proto.options?.debugRedact) return [];
    if (field.message) return unguarded(field.message, seen);
    const isText = field.scalar === ScalarType.STRING || field.scalar === ScalarType.BYTES;
    return isText && SECRET.test(field.name) && !SHOWN.has(field.name)
      ? [`${schema.typeName}.${field.name}`]
      : [];
  });
}
