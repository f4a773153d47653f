import { toRefusal } from '@steward/errors';
import { Scope } from '@steward/proto/steward/http/v1/annotations_pb.ts';
import { EventReportService } from '@steward/proto/steward/moderation/v1/event_reports_pb.ts';
import { ReportResolutionService } from '@steward/proto/steward/moderation/v1/report_resolution_pb.ts';
import { ReportService } from '@steward/proto/steward/moderation/v1/reports_pb.ts';
import { TaskService } from '@steward/proto/steward/moderation/v1/tasks_pb.ts';
import type { Rights } from '@steward/rpc';
import { authorityOver } from '@steward/rpc/testing';
import { openSqliteStore, type Store } from '@steward/store';
import { type CrashableStore, type CrashPoint, crashableStore, stores } from '@steward/store/testing';
import { createFakeClock, type FakeClock } from '@steward/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { tasks } from '../../core/collections.ts';
import { auditLog } from '../../core/model/audit-entry.ts';
import { cases, type ReportCase } from '../../core/model/case.ts';
import { feedEvents } from '../../core/model/feed-event.ts';
import { eventReports } from '../../core/model/report.ts';
import { reportKey } from '../../core/report-id.ts';
import { type ActionPeers, actionPeers, UNTOUCHABLE } from '../../fixtures/action-peers.ts';
import { startTestProcess, type TestProcess } from '../../fixtures/test-process.ts';

const REPORT = 'event-1';
const SPAMMER = '@spammer:test';

/** Longer than a lease, and than any pause of a task, in milliseconds. */
const LATER_MS = 60_000;

/** How often a test advances the clock until a task must have ended. */
const MANY = 60;

/** Five orders, of which one is refused and one has a task. */
const ORDERS = [
  { kind: 'suspend' },
  { kind: 'redact_event', reason: 'Spam' },
  { kind: 'quarantine_media' },
  { kind: 'kick', userId: UNTOUCHABLE },
  { kind: 'ban', rooms: 'all' },
];

/** What each of them is recorded as. */
const ACTIONS = [
  'user.suspend',
  'room.redact_event',
  'media.quarantine_media',
  'media.quarantine_media',
  'room.kick_user',
  'room.ban_user_from_rooms',
];

async function addReport(store: Store): Promise<void> {
  const reports = await store.collection(eventReports);
  await reports.insertOne({
    ...{ _id: reportKey(1), received_ts: 1, user_id: '@reporter:test', reason: null, score: null },
    ...{ room_id: '!room:test', event_id: '$event', sender: SPAMMER, room_gone: false, unfiled: true },
  });
}

async function theCase(store: Store): Promise<ReportCase | undefined> {
  const [found] = await (await store.collection(cases)).find({}).toArray();
  return found;
}

/** The task that carries out the orders, and has not ended. */
async function isWorking(store: Store): Promise<boolean> {
  const [open] = await (await store.collection(tasks.tasks))
    .find({ kind: 'report.resolve', state: { $in: ['scheduled', 'active'] } })
    .toArray();
  return open !== undefined;
}

/** Lets time pass until no order is left to be carried out. */
async function workOff(store: Store, process: TestProcess, clock: FakeClock): Promise<void> {
  for (let n = 0; n < MANY; n++) {
    await process.whenTasksIdle();
    if (!(await isWorking(store))) return;
    clock.advance(LATER_MS);
  }
  throw new Error('The orders were not carried out');
}

const resolve = (process: TestProcess, fields: object = {}) =>
  process
    .client(ReportResolutionService)
    .resolveReport({ reportId: REPORT, outcome: 'actioned', orders: ORDERS, ...fields });

describe('a resolution', () => {
  let store: Store;
  let clock: FakeClock;
  let peers: ActionPeers;
  let process: TestProcess;
  beforeEach(async () => {
    store = await openSqliteStore({ path: ':memory:' });
    clock = createFakeClock();
    peers = actionPeers();
    process = await startTestProcess(store, clock, peers);
    await addReport(store);
  });
  afterEach(async () => {
    await process.close();
    await store.close();
  });

  const refusalOf = (call: Promise<unknown>) =>
    call.then(
      () => undefined,
      (error: unknown) => toRefusal(error),
    );

  it('carries out its orders in their order, and says the outcome of each', async () => {
    const { taskId, case: answered } = await resolve(process, { reason: 'Spam wave' });
    expect(answered?.resolution?.orders.map(({ state }) => state)).toEqual(ORDERS.map(() => 'pending'));
    await workOff(store, process, clock);
    await process.whenIdle();
    const { resolution } = (await theCase(store)) ?? {};
    expect(resolution).toMatchObject({ task_id: taskId, decider: '@root:test', reason: 'Spam wave' });
    expect(resolution?.orders.map(({ kind, state }) => `${kind} ${state}`)).toEqual([
      'suspend done',
      'redact_event done',
      'quarantine_media done',
      'kick refused',
      'ban done',
    ]);
    expect(resolution?.orders[3]).toMatchObject({
      errcode: 'M_UNKNOWN',
      message: expect.stringContaining('may do it'),
    });
    expect(resolution?.orders[4]).toMatchObject({ task_id: expect.stringContaining('task of') });
    const entries = await (await store.collection(auditLog)).find({ task_id: { $ne: null } }).toArray();
    const ofOrders = entries.filter(({ action }) => action !== 'moderation.resolve_report');
    expect(ofOrders.map(({ action }) => action).sort()).toEqual([...ACTIONS].sort());
    expect(ofOrders.filter(({ outcome }) => outcome === 'refused')).toMatchObject([
      { action: 'room.kick_user', status: 400, errcode: 'M_UNKNOWN', task_id: taskId },
    ]);
    expect(ofOrders[0]).toMatchObject({ actor: '@root:test', device_id: 'DEVICE', reason: 'Spam wave' });
    const events = await (await store.collection(feedEvents)).find({}).toArray();
    const types = events.map(({ type }) => type).filter((type) => !type.startsWith('task.'));
    expect(types.sort()).toEqual([
      'account.room_order_created',
      'account.suspended',
      'media.quarantined',
      'media.quarantined',
      'report.resolved',
      'room.event_redacted',
    ]);
  });

  it('a resolution is refused as a whole, and says which order is the cause', async () => {
    const { admin, ...moderator } = { admin: false, scopes: [Scope.REPORTS_WRITE, Scope.USERS_WRITE] };
    const limited = process.client(ReportResolutionService, { ...moderator, admin });
    const call = (orders: object[], outcome = 'actioned') =>
      refusalOf(limited.resolveReport({ reportId: REPORT, outcome, orders }));
    expect(await call([{ kind: 'suspend' }, { kind: 'block_room' }])).toMatchObject({
      status: 403,
      message: 'orders[1] (block_room): This requires the scope rooms:write',
    });
    expect(await call([{ kind: 'deactivate', erase: true }])).toMatchObject({
      message: 'orders[0] (deactivate): This requires the scope users:erase',
    });
    const refused: [object[], string][] = [
      [[{ kind: 'suspend' }, { kind: 'hug' }], 'orders[1] (hug): '],
      [[{ kind: 'suspend', erase: true }], "orders[0] (suspend): It has no 'erase'"],
      [[{ kind: 'suspend', userId: '@root:test' }], 'orders[0] (suspend): '],
      [[{ kind: 'send_notice' }], "orders[0] (send_notice): 'text' is required"],
      [[{ kind: 'redact_event', roomId: '!other:test' }], "orders[0] (redact_event): 'event_id' is required"],
      [Array.from({ length: 21 }, () => ({ kind: 'suspend' })), 'A resolution has at most 20 orders'],
    ];
    for (const [orders, message] of refused)
      expect(await call(orders)).toMatchObject({ status: 400, message: expect.stringContaining(message) });
    expect(await call([{ kind: 'suspend' }], 'dismissed')).toMatchObject({ status: 400 });
    expect((await theCase(store))?.state).toBe('open');
    expect(peers.effects).toEqual([]);
  });

  it('checks the scopes of all orders before anything is looked up for one', async () => {
    const moderator = { admin: false, scopes: [Scope.REPORTS_WRITE, Scope.MEDIA_WRITE] };
    const orders = [{ kind: 'quarantine_media' }, { kind: 'block_room' }];
    const refused = process
      .client(ReportResolutionService, moderator)
      .resolveReport({ reportId: REPORT, outcome: 'actioned', orders });
    expect(await refusalOf(refused)).toMatchObject({ status: 403 });
    expect(peers.lookUps).toEqual([]);
  });

  it.each<[string, Rights]>([
    ['has lost a scope', { admin: false, scopes: [Scope.REPORTS_WRITE] }],
    ['was deactivated, suspended or revoked', { admin: false }],
  ])('refuses its orders when their giver %s before they are carried out', async (_, now) => {
    let rights: Rights = { admin: true };
    await process.close();
    peers = actionPeers(authorityOver(new Map(), async () => rights));
    let away = true;
    peers.before = () => {
      if (away) throw new Error('It is away');
    };
    process = await startTestProcess(store, clock, peers);
    await resolve(process, { orders: [{ kind: 'suspend' }, { kind: 'redact_event' }] });
    await process.whenTasksIdle();
    rights = now;
    away = false;
    await workOff(store, process, clock);
    const refused = {
      state: 'refused',
      errcode: 'M_FORBIDDEN',
      message: expect.stringContaining('no longer'),
    };
    expect((await theCase(store))?.resolution?.orders).toMatchObject([refused, refused]);
    expect(peers.effects).toEqual([]);
  });

  it('requires authority over the accounts that its orders name, when it is given and when it is carried out', async () => {
    const scopes = new Map<string, readonly Scope[]>([[SPAMMER, [Scope.USERS_ERASE]]]);
    const moderator = { admin: false, scopes: [Scope.REPORTS_WRITE, Scope.USERS_WRITE, Scope.ROOMS_WRITE] };
    await process.close();
    peers = actionPeers(authorityOver(scopes, async () => moderator));
    process = await startTestProcess(store, clock, peers);
    const limited = process.client(ReportResolutionService, moderator);
    const call = () =>
      limited.resolveReport({ reportId: REPORT, outcome: 'actioned', orders: [{ kind: 'suspend' }] });
    expect(await refusalOf(call())).toMatchObject({
      status: 403,
      message: expect.stringMatching(/^orders\[0\] \(suspend\): .*users:erase/),
    });
    scopes.clear();
    peers.before = () => {
      throw new Error('It is away');
    };
    await call();
    await process.whenTasksIdle();
    scopes.set(SPAMMER, [Scope.USERS_ERASE]);
    peers.before = () => {};
    await workOff(store, process, clock);
    expect((await theCase(store))?.resolution?.orders).toMatchObject([
      { state: 'refused', errcode: 'M_FORBIDDEN' },
    ]);
    expect(peers.effects).toEqual([]);
  });

  it('says that it concerns its decider, or is refused to them by the settings, also through another account of theirs', async () => {
    const own = { reportId: REPORT, outcome: 'dismissed' };
    const asSpammer = { userId: SPAMMER, owner: SPAMMER };
    await process.close();
    process = await startTestProcess(store, clock, peers, { reports: { forbid_own_cases: true } });
    for (const caller of [asSpammer, { owner: SPAMMER }, { userId: SPAMMER }])
      expect(
        await refusalOf(process.client(ReportResolutionService, caller).resolveReport(own)),
      ).toMatchObject({ status: 403, errcode: 'M_FORBIDDEN' });
    expect((await theCase(store))?.state).not.toBe('resolved');
    const deletion = process.client(EventReportService, asSpammer).deleteEventReport({ reportId: 1n });
    expect(await refusalOf(deletion)).toMatchObject({ status: 403 });
    await resolve(process, { outcome: 'dismissed', orders: [] });
    const reopening = process.client(ReportService, asSpammer).reopenReport({ reportId: REPORT });
    expect(await refusalOf(reopening)).toMatchObject({ status: 403 });
    await process.client(ReportService).reopenReport({ reportId: REPORT });
    await process.close();
    process = await startTestProcess(store, clock, peers);
    const answer = await process.client(ReportResolutionService, asSpammer).resolveReport(own);
    expect(answer).toMatchObject({ concernsDecider: true, case: { summary: { state: 'resolved' } } });
  });

  it('of two moderators at once only one decides, and only their orders are carried out', async () => {
    const both = [
      resolve(process, { orders: [{ kind: 'suspend' }] }),
      resolve(process, { orders: [{ kind: 'lock' }] }),
    ];
    const outcomes = await Promise.allSettled(both);
    const [refused, ...others] = outcomes.flatMap((each) =>
      each.status === 'rejected' ? [each.reason] : [],
    );
    expect(others).toEqual([]);
    expect(toRefusal(refused)).toMatchObject({
      status: 409,
      extra: { current: { state: 'resolved', outcome: 'actioned', changed_by: '@root:test' } },
    });
    await workOff(store, process, clock);
    expect(peers.effects).toHaveLength(1);
  });

  it('waits while a service is away and while a task runs, and gives an order up that only fails', async () => {
    let away = 3;
    peers.before = (what) => {
      if (what === 'suspend' && away-- > 0) throw new Error('It is away');
      if (what === 'quarantine') throw new Error('A fault that repeats');
    };
    peers.taskState = 'active';
    await resolve(process);
    for (let n = 0; n < 20; n++) {
      await process.whenTasksIdle();
      clock.advance(LATER_MS);
    }
    const states = async () =>
      (await theCase(store))?.resolution?.orders.map(({ kind, state }) => `${kind} ${state}`);
    expect(await states()).toEqual([
      'suspend done',
      'redact_event done',
      'quarantine_media refused',
      'kick refused',
      'ban pending',
    ]);
    peers.taskState = 'failed';
    await workOff(store, process, clock);
    expect((await theCase(store))?.resolution?.orders[4]).toMatchObject({
      state: 'refused',
      message: 'It went wrong',
    });
  });

  it('does not say that an order is done whose task was refused for some of its targets', async () => {
    peers.taskResult = '{"done":3,"unchanged":0,"refused":2}';
    await resolve(process, { orders: [{ kind: 'ban', rooms: 'all' }] });
    await workOff(store, process, clock);
    expect((await theCase(store))?.resolution?.orders).toMatchObject([
      { state: 'refused', errcode: 'M_UNKNOWN', message: expect.stringContaining('2 of its targets') },
    ]);
  });

  it('says of orders that a cancellation has stopped that they were not carried out', async () => {
    peers.taskState = 'active';
    const { taskId = '' } = await resolve(process, {
      orders: [{ kind: 'suspend' }, { kind: 'ban', rooms: 'all' }, { kind: 'lock' }],
    });
    await process.whenTasksIdle();
    await process.client(TaskService).cancelTask({ taskId });
    await workOff(store, process, clock);
    expect((await theCase(store))?.resolution?.orders.map(({ state }) => state)).toEqual([
      'done',
      'refused',
      'refused',
    ]);
    expect(peers.effects).toHaveLength(2);
  });
});

/** Far more calls of the store than a resolution with its orders makes. */
const MOST_CALLS = 600;

/** Waits until a process has no task to run now, or has crashed and keeps retrying. */
async function idleOrCrashed(process: TestProcess, crashable: CrashableStore): Promise<void> {
  let isIdle = false;
  void process
    .whenTasksIdle()
    .catch(() => {})
    .finally(() => {
      isIdle = true;
    });
  while (!isIdle && !crashable.hasCrashed) await new Promise((next) => setImmediate(next));
}

const CRASH_POINTS: readonly CrashPoint[] = ['before', 'during', 'after'];

describe.each(stores)('$title', ({ missing, remote, open }) => {
  it.skipIf(missing)(
    'each of five orders is carried out once, whichever call of the store the process crashes at',
    { timeout: 60_000 },
    async () => {
      const crashAt = async (call: number, how: CrashPoint): Promise<boolean> => {
        const { store, drop } = await open();
        const clock = createFakeClock();
        const peers = actionPeers();
        await addReport(store);
        const crashable = crashableStore(store);
        const first = await startTestProcess(crashable.store, clock, peers);
        crashable.crashAt(call, how);
        await resolve(first).catch(() => {});
        while (!crashable.hasCrashed && (await isWorking(store))) {
          await idleOrCrashed(first, crashable);
          clock.advance(LATER_MS);
        }
        const { hasCrashed } = crashable;
        await first.close();

        clock.advance(LATER_MS);
        const second = await startTestProcess(store, clock, peers);
        // As a client that got no answer would. It is refused if the case is resolved.
        await resolve(second).catch(() => {});
        await workOff(store, second, clock);
        await second.whenIdle();
        await second.close();
        const about = `crashed ${how} call ${call}`;
        const decided = await theCase(store);
        const states = decided?.resolution?.orders.map(({ kind, state }) => `${kind} ${state}`) ?? [];
        const entries = await (await store.collection(auditLog)).find({}).toArray();
        const ofOrders = entries.filter(({ action }) => action !== 'moderation.resolve_report');
        const events = await (await store.collection(feedEvents)).find({}).toArray();
        await drop();
        expect(states, about).toEqual([
          'suspend done',
          'redact_event done',
          'quarantine_media done',
          'kick refused',
          'ban done',
        ]);
        expect(
          peers.effects.map((effect) => effect.split(' ')[0]),
          about,
        ).toEqual(['suspend', 'redact_event', 'quarantine', 'ban_everywhere']);
        expect(ofOrders.map(({ action }) => action).sort(), about).toEqual([...ACTIONS].sort());
        // Also if the process crashed before it recorded the outcome.
        const decisions = entries.filter(
          ({ action, outcome, targets }) =>
            action === 'moderation.resolve_report' &&
            outcome !== 'refused' &&
            targets.includes(`report:${decided?._id}`),
        );
        expect(decisions, about).not.toEqual([]);
        expect(
          events.filter(({ type }) => type === 'account.suspended'),
          about,
        ).toHaveLength(1);
        return hasCrashed;
      };
      // Each call in another way, some processes at a time.
      const spread = remote ? 31 : 7;
      let isReached = true;
      for (let call = spread; isReached && call <= MOST_CALLS; call += spread * CRASH_POINTS.length) {
        const crashes = await Promise.all(CRASH_POINTS.map((how, n) => crashAt(call + n * spread, how)));
        isReached = crashes.some((crashed) => crashed);
      }
      expect(isReached).toBe(false);
    },
  );
});
