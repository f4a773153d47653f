import { readFileSync } from 'node:fs';
import { createClient } from '@steward/sdk';
import { type OpenApiDocument, type Operation, readOperations } from '@steward/sdk/generate';
import { type Actor, path } from '@steward/testing';
import { beforeAll, expect, it, vi } from 'vitest';
import { Browser } from '../browser.ts';
import { chapter } from '../chapter.ts';
import { uploadFile } from '../media-files.ts';
import { openServer } from '../shared-settings.ts';

const V1 = '/_service/admin/v1';
const CLIENT = '/_proto/client/v3';

/** The limit of a page with all rows, and the number of smaller pages of which each has a part of them, and at least one. */
const LARGE = 1_000;
const PAGES = 3;

const PATIENCE = { timeout: 20_000 };

/** The lists that have no two rows here, or are refused, and why. */
const SHORT: Readonly<Record<string, string>> = {
  'federation.listDestinations': 'the server does not federate',
  'federation.listDestinationRooms': 'the server does not federate',
  'rooms.listForwardExtremities': 'a room has at most one',
  'passkeys.list': 'access tokens of accounts with passkeys have no rights; passkeys.test.ts lists several',
  'users.listPasskeys': 'passkeys need an authenticator; passkeys.test.ts lists several',
  'statistics.listLargestRooms': 'room sizes are not available with the embedded store',
};

type Rows = AsyncIterable<unknown> & { pages(): AsyncIterable<unknown> };

const document: OpenApiDocument = JSON.parse(
  readFileSync(new URL('../../docs/openapi.json', import.meta.url), 'utf8'),
);
const lists = readOperations(document)
  .filter(({ paging }) => paging !== undefined)
  .flatMap((operation) => [
    { title: `${operation.group}.${operation.name}`, operation, params: {} },
    ...(operation.paging?.variants ?? []).map(({ parameter, value }) => ({
      title: `${operation.group}.${operation.name} by ${value}`,
      operation,
      params: { [parameter]: value },
    })),
  ]);

async function collect(items: AsyncIterable<unknown>): Promise<unknown[]> {
  const all: unknown[] = [];
  for await (const item of items) all.push(item);
  return all;
}

/** What the client library iterates over, compared with one large page of the same server, which has two of everything. */
chapter(
  'Lists in the client library',
  (world) => {
    const ids: Record<string, string | undefined> = {};
    /** The ids that only one list has rows for. */
    const idsOf: Record<string, object> = {};
    let list: (operation: Operation, params: object) => Rows;

    beforeAll(async () => {
      const { admin } = world;
      const send = async (
        verb: 'post' | 'put' | 'delete',
        target: string,
        body: unknown = {},
        by: Actor = admin,
      ) => {
        const reply = await by[verb]<Record<string, string>>(target, { body });
        expect(reply.status, `${verb} ${target} ${reply.text}`).toBeLessThan(300);
        return reply.body;
      };
      const [alice, bob] = [await world.user('alice', { admin: true }), await world.user('alice')];
      const hook = await send('post', `${V1}/webhooks`, { url: 'http://127.0.0.1:1/' });
      const creation = { preset: 'public_chat', creation_content: { type: 'm.space' } };
      const { room_id: space = '' } = await send('post', `${CLIENT}/createRoom`, creation, alice);
      await send('post', path`/_proto/client/v3/rooms/${space}/join`, {}, bob);
      const { room_id: gone = '' } = await send('post', `${CLIENT}/createRoom`, {}, bob);
      let reported = '';
      for (const n of [1, 2]) {
        await send('post', `${V1}/registration_tokens/new`, {});
        await send('post', `${V1}/tokens`, { name: `Program ${n}`, scopes: ['users:read'] });
        await send('post', `${V1}/groups`, { name: `Group ${n}` });
        await send('post', `${V1}/webhooks`, { url: `https://receiver-${n}.invalid/` });
        await send('post', `${V1}/audit_log/checkpoints`);
        await send('post', `${V1}/media/hashes`, { sha256: [`${n}`.repeat(64)] });
        await new Browser(world).signIn(alice);
        await world.login(alice);
        await send('put', `${V1}${path`/rooms/${`!blocked-${n}:elsewhere`}`}/block`, { block: true });
        const pusher = {
          app_id: 'app',
          pushkey: `key ${n}`,
          kind: 'http',
          app_display_name: 'App',
          lang: 'en',
        };
        const data = { url: 'https://push.example.org/_matrix/push/v1/notify' };
        await send('post', `${CLIENT}/pushers/set`, { ...pusher, device_display_name: 'Phone', data }, alice);
        for (const user of [alice, bob]) {
          const medium = await uploadFile(user);
          await send('post', `${V1}${path`/media/quarantine/${world.serverName}/${medium}`}`);
        }
        const { room_id: roomId = '' } = await send('post', `${CLIENT}/createRoom`, {}, alice);
        const child = { via: [world.serverName] };
        await send('put', path`/_proto/client/v3/rooms/${space}/state/m.space.child/${roomId}`, child, alice);
        const message = { msgtype: 'm.text', body: 'Hello' };
        const sent = path`/_proto/client/v3/rooms/${space}/send/m.room.message/${`txn-${n}`}`;
        const { event_id: eventId = '' } = await send('put', sent, message, alice);
        // Two reports of one subject are one case, and a profile that changed in between is two pieces of evidence.
        if (n === 1) reported = eventId;
        const reporter = n === 1 ? bob : admin;
        await send('post', path`/_proto/client/v3/rooms/${space}/join`, {}, reporter);
        await send('post', path`/_proto/client/v3/rooms/${space}/receipt/m.read/${eventId}`, {}, reporter);
        const displayname = path`/_proto/client/v3/profile/${alice.userId}/displayname`;
        await send('put', displayname, { displayname: `Alice ${n}` }, alice);
        const reports = [path`/rooms/${space}/report/${reported}`, path`/users/${alice.userId}/report`];
        for (const report of reports) await send('post', `${CLIENT}${report}`, { reason: 'spam' }, reporter);
        await world.whenIdle();
        await send('delete', path`/_service/admin/v2/rooms/${gone}`, { block: true, purge: false });
        await world.whenIdle();
      }
      // They are found some time after they were set.
      const states = path`/_service/admin/v1/users/${alice.userId}/push_states`;
      await vi.waitFor(
        async () => expect((await admin.get(states)).body).toMatchObject({ total: 2 }),
        PATIENCE,
      );
      const absent = [world.userId('absent-1'), world.userId('absent-2')];
      const ban = await send('post', `${V1}${path`/rooms/${space}`}/ban`, {
        user_ids: absent,
        reason: 'spam',
      });
      const consumer = await world.seed?.brokenConsumer('broken');
      for (const id of ['fact-1', 'fact-2']) await consumer?.publish(id, `!${id}:test`);
      await world.whenIdle();
      const reportOf = async (kind: string) => {
        const query = { kind };
        const { body } = await admin.get<{ reports: { id: string; case_id: string }[] }>(`${V1}/reports`, {
          query,
        });
        return body.reports[0];
      };
      Object.assign(ids, {
        user_id: alice.userId,
        room_id: space,
        room_id_or_alias: space,
        task_id: ban.task_id,
        id: hook.id,
        report_id: (await reportOf('event'))?.id,
        term: 'alice',
        destination: 'elsewhere',
      });
      idsOf['rooms.listDeletions'] = { room_id: gone };
      const action = { method: 'POST', path: '/_service/admin/v1/deactivate/{user_id}' };
      const { task_id } = await send('post', `${V1}/bulk`, { action, users: absent });
      idsOf['bulks.get'] = { task_id };
      const group = await send('post', `${V1}/groups`, { name: 'Group', roles: ['auditor'] });
      for (const user of [alice, bob])
        await send('put', path`/_service/admin/v1/groups/${group.id ?? ''}/members/${user.userId}`);
      for (const name of ['groups.listMembers', 'groups.plan']) idsOf[name] = { id: group.id };
      idsOf['reports.getEvidence'] = { report_id: (await reportOf('user'))?.case_id };
      const client = createClient({ baseUrl: world.running.url, token: alice.token });
      const methods = client as never as Record<string, Record<string, (params: object) => Rows>>;
      list = ({ group, name, parameters }, params) => {
        const required = parameters.filter((one) => one.required).map((one) => [one.name, ids[one.name]]);
        const method = methods[group]?.[name];
        if (method === undefined) throw new Error(`The library has no ${group}.${name}`);
        return method({ ...Object.fromEntries(required), ...idsOf[`${group}.${name}`], ...params });
      };
    });

    it.each(lists)('$title', async ({ title, operation, params }) => {
      const hasLimit = operation.parameters.some(({ name }) => name === 'limit');
      const large = async () =>
        (await collect(list(operation, { ...params, ...(hasLimit && { limit: LARGE }) }))).length;
      if (title in SHORT) {
        expect(await large().catch(() => 0)).toBeLessThan(2);
        return;
      }
      const before = await large();
      expect(before).toBeGreaterThanOrEqual(2);
      const limit = Math.max(1, Math.floor(before / PAGES));
      const small = list(operation, { ...params, ...(hasLimit && { limit }) });
      const rows = await collect(small);
      expect(new Set(rows.map((row) => JSON.stringify(row))).size).toBe(rows.length);
      // Some lists may grow by what is recorded of these requests.
      expect(rows.length).toBeGreaterThanOrEqual(before);
      expect(rows.length).toBeLessThanOrEqual(await large());
      if (hasLimit) expect((await collect(small.pages())).length).toBeGreaterThan(1);
    });
  },
  { config: openServer },
);
