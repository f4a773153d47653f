import { type Actor, path } from '@steward/testing';
import { describe, expect, it } from 'vitest';
import { chapter } from './chapter.ts';
import { uploadFile } from './media-files.ts';
import { refusal } from './refusal.ts';

const OVERVIEW = '/_service/admin/v1/statistics/overview';
const HISTORY = '/_service/admin/v1/statistics/history';
const CLIENT = '/_proto/client/v3';

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;
const RETENTION_MS = 90 * DAY_MS;

/** Of one point, or of the overview: null for what was not counted. */
type Figures = Readonly<Record<string, number | null>>;

/** What is counted within an interval. */
const COUNTS = ['registrations', 'sign_ins', 'failed_sign_ins', 'messages', 'uploads', 'reports'];
/** What is sampled. */
const GAUGES = ['accounts', 'daily_active_users', 'rooms', 'local_media_bytes', 'open_reports'];

chapter('Statistics of the server', (world) => {
  const overview = async () => {
    const reply = await world.admin.get<Figures>(OVERVIEW);
    expect(reply.status, reply.text).toBe(200);
    return reply.body;
  };
  const history = async (query: Readonly<Record<string, string | number>> = {}) => {
    const reply = await world.admin.get<{ points: readonly (Figures & { ts: number })[] }>(HISTORY, {
      query,
    });
    expect(reply.status, reply.text).toBe(200);
    return reply.body.points;
  };
  /** The counts of the last 24 hours, whenever the hour changes. */
  const counted = async () => {
    const points = await history();
    return Object.fromEntries(
      COUNTS.map((name) => [name, points.reduce((sum, point) => sum + (point[name] ?? 0), 0)]),
    );
  };
  const raised = (before: Figures, by: Figures): Figures =>
    Object.fromEntries(
      Object.entries(by).map(([name, number]) => [name, (before[name] ?? 0) + (number ?? 0)]),
    );

  const send = async (user: Actor, verb: 'post' | 'put', target: string, body: object = {}, status = 200) => {
    const reply = await user[verb]<Record<string, string>>(target, { body });
    expect(reply.status, reply.text).toBe(status);
    return reply.body;
  };
  const login = (user: string, password: string) => ({
    type: 'm.login.password',
    ...{ identifier: { type: 'm.id.user', user }, password },
  });

  /** Does everything that is counted, and returns what that adds to the counts and to the figures. */
  async function live(): Promise<{ readonly counts: Figures; readonly figures: Figures }> {
    const [alice, bob, carol] = [
      await world.user('alice'),
      await world.user('bob'),
      await world.user('carol'),
    ];
    await alice.get(`${CLIENT}/account/whoami`);
    await bob.get(`${CLIENT}/account/whoami`);
    const { room_id: room = '' } = await send(alice, 'post', `${CLIENT}/createRoom`, {
      preset: 'public_chat',
    });
    await send(bob, 'post', `${CLIENT}${path`/join/${room}`}`);
    for (const [type, txn] of [
      ['m.room.message', 'a'],
      ['m.sticker', 'b'],
      ['org.example.other', 'c'],
    ] as const)
      await send(alice, 'put', `${CLIENT}${path`/rooms/${room}/send/${type}/${txn}`}`, {
        msgtype: 'm.text',
        body: 'x',
      });
    // A repeated transaction sends nothing.
    await send(alice, 'put', `${CLIENT}${path`/rooms/${room}/send/m.room.message/a`}`, {
      msgtype: 'm.text',
      body: 'x',
    });
    await uploadFile(alice, { bytes: 'twelve bytes' });
    await send(bob, 'post', `${CLIENT}${path`/users/${alice.userId}/report`}`, { reason: 'Rude' });
    await send(alice, 'post', `${CLIENT}${path`/rooms/${room}/report`}`, { reason: 'Loud' });
    await world.login(carol);
    await send(carol, 'post', `${CLIENT}/login`, login(carol.userId, 'wrong'), 403);
    await send(carol, 'post', `${CLIENT}/login`, login('no-such-user', 'wrong'), 403);
    const session = '/_service/admin/v1/session';
    const wrong = { user: world.admin.userId, password: 'wrong' };
    expect(await world.http('POST', session, { body: wrong })).toMatchObject(refusal(403, 'M_FORBIDDEN'));
    const right = { user: world.admin.userId, password: world.admin.password };
    expect(await world.http('POST', session, { body: right })).toMatchObject({ status: 200 });
    await send(world.admin, 'put', path`/_service/admin/v1/suspend/${bob.userId}`, { suspend: true });
    await send(world.admin, 'put', path`/_service/admin/v2/users/${carol.userId}`, { locked: true });
    const gone = await world.account('gone');
    await send(world.admin, 'put', path`/_service/admin/v2/users/${gone}`, { deactivated: true });
    return {
      counts: { registrations: 4, sign_ins: 2, failed_sign_ins: 3, messages: 2, uploads: 1, reports: 2 },
      figures: {
        ...{ accounts: 4, active_accounts: 3, locked_accounts: 1, suspended_accounts: 1 },
        ...{ rooms: 1, local_media: 1, local_media_bytes: 12, open_reports: 2 },
        ...{ registrations_last_day: 4, failed_sign_ins_last_day: 3 },
      },
    };
  }

  it('shows what there is, and counts what happens', async () => {
    await world.whenIdle();
    // Each process stores every 10 s what it has counted.
    await expect
      .poll(async () => {
        const { accounts, registrations_last_day } = await overview();
        return registrations_last_day === accounts;
      })
      .toBe(true);
    const before = { figures: await overview(), counts: await counted() };
    const added = await live();
    // Some totals of several processes lag by a second.
    await expect.poll(overview).toMatchObject(raised(before.figures, added.figures));
    await expect.poll(counted).toEqual(raised(before.counts, added.counts));
    const figures = await overview();
    for (const [name, figure] of Object.entries(figures)) expect(figure, name).toEqual(expect.any(Number));
    const { daily_active_users: daily, weekly_active_users: weekly, monthly_active_users: monthly } = figures;
    expect(daily).toBeGreaterThanOrEqual((before.figures.daily_active_users ?? 0) + 2);
    expect(weekly).toBeGreaterThanOrEqual(daily ?? Number.NaN);
    expect(monthly).toBeGreaterThanOrEqual(weekly ?? Number.NaN);
  });

  it('has a point for each hour and each day, oldest first, with zeros where nothing happened', async () => {
    const now = (await overview()).ts ?? 0;
    const hours = await history({ from_ts: now - DAY_MS - 2 * HOUR_MS, until_ts: now + DAY_MS });
    expect(hours.map(({ ts }) => ts % HOUR_MS)).toEqual(hours.map(() => 0));
    expect(hours.map(({ ts }, index) => ts - (hours[0]?.ts ?? 0) - index * HOUR_MS)).toEqual(
      hours.map(() => 0),
    );
    // What is to come is left out.
    expect(hours.length).toBeGreaterThanOrEqual(27);
    expect(hours.at(-1)?.ts).toBeLessThanOrEqual((await overview()).ts ?? 0);
    expect(Object.keys(hours[0] ?? {}).sort()).toEqual(['ts', ...COUNTS, ...GAUGES].sort());
    // Before the server was started.
    expect(hours[0]).toMatchObject(
      Object.fromEntries([...COUNTS.map((name) => [name, 0]), ...GAUGES.map((name) => [name, null])]),
    );
    const days = await history({ interval: 'day', from_ts: now - DAY_MS, until_ts: now });
    expect(days.map(({ ts }) => ts)).toEqual(
      [0, 1].map((day) => Math.floor(now / DAY_MS - 1 + day) * DAY_MS),
    );
    const inDays = hours.filter(({ ts }) => ts >= (days[0]?.ts ?? 0));
    const sum = (points: typeof hours) =>
      Object.fromEntries(
        COUNTS.map((name) => [name, points.reduce((all, point) => all + (point[name] ?? 0), 0)]),
      );
    expect(sum(days)).toEqual(sum(inDays));
    expect(await history({ from_ts: now, until_ts: now })).toHaveLength(1);
    expect(await history({ from_ts: now + DAY_MS, until_ts: now + DAY_MS })).toEqual([]);
    expect((await history({ interval: 'day' })).length).toBe(30);
    const never = '9223372036854775807';
    expect(await history({ from_ts: never, until_ts: never })).toEqual([]);
    expect(await history({ until_ts: never })).toHaveLength(24);
    expect(await history({ until_ts: 0 })).toEqual([]);
  });

  it.each([
    'interval=week',
    'interval=',
    'from_ts=-1',
    'from_ts=x',
    'until_ts=-1',
    'from_ts=5&until_ts=4',
    'from_ts=9007199254740993',
    // More hours than 31 days have.
    'from_ts=0',
    `from_ts=${DAY_MS}&until_ts=${33 * DAY_MS}`,
    'interval=day&from_ts=0',
  ])('refuses %s', async (query) => {
    expect(await world.admin.get(HISTORY, { query })).toMatchObject(refusal(400, 'M_INVALID_PARAM'));
  });

  describe('as time passes', () => {
    it('keeps what was, with a sample of each hour, until it is past the retention', async (test) => {
      const { moveClock } = world;
      if (!moveClock) return test.skip('Its clock cannot be moved');
      const before = (await history()).at(-1);
      moveClock(HOUR_MS);
      // A server that starts takes the sample of the hour at once.
      await world.restart();
      await expect.poll(async () => (await history()).at(-1)?.open_reports).toEqual(expect.any(Number));
      const { accounts, rooms, local_media_bytes, open_reports, ts } = await overview();
      const begin = ts ?? 0;
      const sample = { accounts, rooms, local_media_bytes, open_reports };
      const { counts } = await live();
      const [earlier, later] = (await history()).slice(-2);
      expect(earlier).toEqual(before);
      expect(later).toMatchObject({ ...sample, ...counts });
      expect((await history({ interval: 'day' })).at(-1)).toMatchObject(sample);

      moveClock(2 * DAY_MS);
      expect(await overview()).toMatchObject({ failed_sign_ins_last_day: 0, registrations_last_day: 0 });
      const around = { from_ts: begin - HOUR_MS, until_ts: begin + HOUR_MS };
      expect((await history(around)).map(({ reports }) => reports)).toEqual([before?.reports, 2, 0]);
      moveClock(RETENTION_MS - 2 * DAY_MS);
      expect((await history(around)).map(({ reports }) => reports)).toEqual([2, 0]);
      expect((await history({ ...around, interval: 'day' })).map(({ ts }) => ts)).toEqual([]);
    });
  });
});
