import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { CATALOGUE } from '@steward/telemetry';
import { path, requireTool } from '@steward/testing';
import { beforeAll, expect, it, vi } from 'vitest';
import { ownChapter } from './chapter.ts';
import { image } from './images.ts';

const V3 = '/_proto/client/v3';
const MEDIA = '/_proto/client/v1/media';
const ADMIN = '/_service/admin';

const promtool = requireTool('promtool');

const config = {
  rate_limits: { enabled: true, login_failed: { per_second: 0.01, burst: 1 } },
  quotas: { filters: 1 },
};

/** What only one of the set-ups has. */
const OF_EMBEDDED_STORE = [
  'steward_store_waiting_writes',
  'steward_store_waiting_reads',
  'steward_store_log_bytes',
];
const OF_DATABASE = ['steward_store_connections'];

/** What exists only where traces have a collector, or processes connect over TLS. */
const ELSEWHERE = [
  'steward_certificate_expiry_timestamp_seconds',
  'steward_traces_exported_total',
  'steward_traces_dropped_total',
];

/** Series that one story moves, by what their lines begin with. */
const MOVED = [
  'steward_build_info{',
  'steward_ready{check="store"}',
  'steward_http_request_duration_seconds_count{',
  'steward_http_connections ',
  'steward_http_event_streams ',
  'steward_http_requests{state="long_poll"}',
  'steward_rpc_duration_seconds_count{',
  'steward_store_operation_duration_seconds_count{operation="find_one"}',
  'steward_store_operation_duration_seconds_count{operation="insert_one"}',
  'steward_store_collection_duration_seconds_sum{collection="user.accounts",operation="find_one"}',
  'steward_store_collection_duration_seconds_count{collection="room.rooms",operation="find_one_and_update"}',
  'steward_bus_connected ',
  'steward_bus_relay_lag_seconds_count{service="user"}',
  'steward_bus_relay_lag_seconds_count{service="audit"}',
  'steward_bus_handled_total{consumer="moderation-',
  'steward_dead_letters ',
  'steward_tasks{kind="',
  'steward_tasks_ended_total{kind="',
  'steward_auth_sign_ins_total{method="shared_secret",outcome="ok"}',
  'steward_auth_sign_ins_total{method="password",outcome="ok"}',
  'steward_auth_sign_ins_total{method="password",outcome="refused"}',
  'steward_auth_sign_ins_total{method="password",outcome="limited"}',
  'steward_auth_refusals_total{reason="unknown_token"}',
  'steward_limits_refusals_total{limit="login_failed"}',
  'steward_limits_quota_refusals_total{quota="filters"}',
  'steward_media_uploaded_bytes_total ',
  'steward_media_downloaded_bytes_total ',
  'steward_media_uploads_total{outcome="stored"}',
  'steward_media_thumbnails_total{source="made"}',
  'steward_media_thumbnails_total{source="kept"}',
  'steward_media_files ',
  'steward_sync_open{state="waiting"}',
  'steward_accounts{state="active"}',
  'steward_rooms ',
  'steward_reports{kind="event"}',
  'steward_report_cases{state="open"}',
  'steward_audit_chain_entries ',
  'steward_feed_position ',
  'nodejs_eventloop_lag_p99_seconds ',
  'process_cpu_seconds_total ',
];

/** Repeats a check until it succeeds, for less time than a client waits for updates. */
const eventually = (check: () => Promise<void>) => vi.waitFor(check, { timeout: 28_000, interval: 250 });

/** Uploads the begin of a file, and disconnects. */
async function uploadInPart(url: string, token: string): Promise<void> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  const head = ['POST /_matrix/media/v3/upload HTTP/1.1', 'host: test', `authorization: Bearer ${token}`];
  socket.write([...head, 'content-length: 100000', '', 'begin'].join('\r\n'));
  await setTimeout(100);
  socket.destroy();
}

/** What has not moved yet. */
function unmoved(lines: readonly string[]): string[] {
  const greatest = (start: string) =>
    Math.max(...lines.filter((line) => line.startsWith(start)).map((line) => Number(line.split(' ').at(-1))));
  return MOVED.filter((start) => !(greatest(start) > 0));
}

ownChapter(
  'Metrics after a story',
  (world, { isOneProcess }) => {
    let lines: readonly string[];

    beforeAll(async () => {
      const { admin } = world;
      // First, because processes read these totals at most every 15 seconds.
      await world.seed?.task({
        id: 'task-1',
        kind: 'purge_history',
        target: '!held:test',
        requestedBy: admin.userId,
      });
      const consumer = await world.seed?.brokenConsumer('broken');
      await consumer?.publish('fact-1', '!room:test');
      const alice = await world.user('alice');
      const login = (password: string) =>
        world.http('POST', `${V3}/login`, {
          body: {
            type: 'm.login.password',
            identifier: { type: 'm.id.user', user: alice.userId },
            password,
          },
        });
      expect((await login(alice.password)).status).toBe(200);
      expect((await login('wrong')).status).toBe(403);
      expect((await login('wrong')).status).toBe(429);
      expect((await world.http('GET', `${V3}/account/whoami`, { token: 'unknown' })).status).toBe(401);

      const uploaded = await alice.post<{ content_uri: string }>('/_proto/media/v3/upload', {
        rawBody: await image('png', 64, 64),
        headers: { 'content-type': 'image/png' },
      });
      const mediaId = uploaded.body.content_uri.slice('mxc://test/'.length);
      expect((await alice.get(`${MEDIA}/download/test/${mediaId}`)).status).toBe(200);
      for (let n = 0; n < 2; n++) {
        const thumbnail = `${MEDIA}/thumbnail/test/${mediaId}?width=32&height=32&method=crop`;
        expect((await alice.get(thumbnail)).status).toBe(200);
      }

      const filters = `${V3}${path`/user/${alice.userId}/filter`}`;
      expect((await alice.post(filters, { body: { event_fields: ['a'] } })).status).toBe(200);
      expect((await alice.post(filters, { body: { event_fields: ['b'] } })).status).toBe(403);

      const createRoom = async () =>
        (await alice.post<{ room_id: string }>(`${V3}/createRoom`, { body: {} })).body.room_id;
      const room = await createRoom();
      const message = path`/rooms/${room}/send/m.room.message/1`;
      const sent = await alice.put<{ event_id: string }>(V3 + message, {
        body: { msgtype: 'm.text', body: 'x' },
      });
      const reported = path`/rooms/${room}/report/${sent.body.event_id}`;
      expect((await alice.post(V3 + reported, { body: { reason: 'x' } })).status).toBe(200);

      const gone = await createRoom();
      const deletion = await admin.delete<{ delete_id: string }>(`${ADMIN}/v2${path`/rooms/${gone}`}`, {
        body: {},
      });
      const status = `${ADMIN}/v2${path`/rooms/delete_status/${deletion.body.delete_id}`}`;
      await eventually(async () => {
        expect((await admin.get<{ status: string }>(status)).body.status).toBe('complete');
      });
      await eventually(async () => {
        expect((await admin.get(`${ADMIN}/v1/dead_letters`)).body).toMatchObject({ dead_letters: [{}] });
      });
      await world.whenIdle();

      // The response is kept until the end: fetch ends the stream of one that is garbage.
      const stream = await fetch(`${world.running.url}${ADMIN}/v1/events`, {
        headers: { accept: 'text/event-stream', authorization: `Bearer ${admin.token}` },
      });
      const first = await alice.get<{ next_batch: string }>(`${V3}/sync`);
      const polled = alice.get(`${V3}/sync?since=${first.body.next_batch}&timeout=30000`);
      await eventually(async () => {
        lines = (await world.running.metrics()).split('\n');
        // The sync begins to wait, and entries of the audit log arrive, some time after the answers.
        expect(unmoved(lines)).toEqual([]);
      });
      await alice.put(V3 + message.replace(/1$/, '2'), { body: { msgtype: 'm.text', body: 'y' } });
      expect((await polled).status).toBe(200);
      await stream.body?.cancel();
    });

    it('have moved in every family', () => {
      expect(unmoved(lines)).toEqual([]);
    });

    it('include every metric of the catalogue', () => {
      const types = lines.flatMap((line) => /^# TYPE (steward_\w+) /.exec(line)?.[1] ?? []);
      const missing = Object.keys(CATALOGUE).filter((name) => !types.includes(name));
      const elsewhere = [...ELSEWHERE, ...(isOneProcess ? OF_DATABASE : OF_EMBEDDED_STORE)];
      expect(missing.toSorted()).toEqual(elsewhere.toSorted());
      expect(types.filter((name) => !(name in CATALOGUE))).toEqual([]);
    });

    it.skipIf(!isOneProcess)('have every kind of task that the page about tasks names', async () => {
      const page = await readFile(new URL('../docs/tasks.md', import.meta.url), 'utf8');
      const documented = [...page.matchAll(/^\| (`[^|]*`) \|/gm)].flatMap(([, cell = '']) =>
        [...cell.matchAll(/`(\w+\.\w+)`/g)].map(([, kind]) => kind),
      );
      const run = lines.flatMap(
        (line) => /^steward_tasks_attempts_failed_total\{kind="([^"]+)"/.exec(line)?.[1] ?? [],
      );
      // Media are moved only where a second store is configured.
      expect([...run, 'media.move'].toSorted()).toEqual(documented.toSorted());
    });

    // The pages of several processes are one text here, which has each family several times.
    it.skipIf(!isOneProcess || promtool.command === undefined)(`pass the lint of ${promtool.title}`, () => {
      const { stderr, status } = spawnSync(promtool.command ?? '', ['check', 'metrics'], {
        input: lines.join('\n'),
        encoding: 'utf8',
      });
      expect([status, stderr]).toEqual([0, '']);
    });

    it('count an upload whose client disconnects as aborted', async () => {
      const count = /^steward_media_uploads_total\{outcome="aborted"\} [1-9]/m;
      // Where the client is quicker than the server, nothing has begun to count.
      await eventually(async () => {
        await uploadInPart(world.running.url, world.admin.token);
        expect(await world.running.metrics()).toMatch(count);
      });
    });

    it('name no user, room, address or file', () => {
      const series = lines.filter((line) => line.startsWith('steward_')).join('\n');
      expect(series).not.toMatch(/@|alice|!\w+:|mxc:|127\.0\.0\.1|=""/);
    });
  },
  { config },
);
