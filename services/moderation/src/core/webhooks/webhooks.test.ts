import { create } from '@bufbuild/protobuf';
import { createContextValues, type HandlerContext } from '@connectrpc/connect';
import { systemRandom } from '@steward/kernel';
import { Scope } from '@steward/proto/steward/http/v1/annotations_pb.ts';
import {
  GetWebhookDeliveryRequestSchema,
  ListWebhookDeliveriesRequestSchema,
  ReplayWebhookDeliveryRequestSchema,
  TestWebhookRequestSchema,
} from '@steward/proto/steward/moderation/v1/webhooks_pb.ts';
import { newTimedId, type Requester, requesterKey } from '@steward/rpc';
import { openCollections } from '@steward/service';
import type { Store } from '@steward/store';
import { crashableStore, type OwnStore, stores } from '@steward/store/testing';
import { type RunningTask, TaskDeferred } from '@steward/tasks';
import { noMeters } from '@steward/telemetry';
import { createFakeClock } from '@steward/testing';
import { createSecret, type Outcome, parseAddressRules, type WebhookRequest } from '@steward/webhooks';
import { Webhook as Verifier } from 'standardwebhooks';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { getWebhookDelivery } from '../../verbs/webhooks/get-webhook-delivery.ts';
import { listWebhookDeliveries } from '../../verbs/webhooks/list-webhook-deliveries.ts';
import { replayWebhookDelivery } from '../../verbs/webhooks/replay-webhook-delivery.ts';
import { testWebhook } from '../../verbs/webhooks/test-webhook.ts';
import { collections } from '../collections.ts';
import { createFeedAppender } from '../feed/feed-appender.ts';
import type { NewEvent } from '../feed/feed-event.ts';
import { createFeedTail } from '../feed/feed-tail.ts';
import { createFlush } from '../feed/flush-positions.ts';
import { lastPosition, readEvents } from '../feed/read-events.ts';
import { sweepFeed } from '../feed/sweep-feed.ts';
import type { Webhook } from '../model/webhook.ts';
import { deliveryId } from '../model/webhook-delivery.ts';
import { newDelivery } from './make-deliveries.ts';
import { replayTask } from './replay-task.ts';
import { sendAgain } from './send-again.ts';
import { sweepWebhooks } from './sweep-webhooks.ts';
import { webhookAggregate } from './webhook-aggregate.ts';
import type { WebhookDeps } from './webhook-deps.ts';
import { startWebhookSender, type WebhookSender } from './webhook-sender.ts';

/** The call of a server administrator. */
/** The context of a call by an administrator, or by a caller with some scopes. */
const contextOf = (caller: Pick<Requester, 'admin' | 'scopes'>) =>
  ({ values: createContextValues().set(requesterKey, caller as Requester) }) as HandlerContext;
const asAdministrator = contextOf({ admin: true });

const SECOND_MS = 1_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const RETENTION_MS = 30 * DAY_MS;

/** Short, so that a process takes over at once when the clock is set past its lease. */
const ROUND_MS = 20;
const PATIENCE = { timeout: 20_000, interval: 5 };

const answered = (status: number, retryAfterMs?: number): Outcome => ({
  kind: 'answered',
  status,
  retryAfterMs,
  body: '',
  durationMs: 1,
});
const failed: Outcome = { kind: 'failed', reason: 'connect', detail: 'No connection', durationMs: 1 };

type Answer = (request: WebhookRequest) => Outcome | Promise<Outcome>;

describe.each(stores)('webhooks $title', ({ missing, open }) => {
  let own: OwnStore;
  let clock: ReturnType<typeof createFakeClock>;
  let deps: WebhookDeps;
  let requests: WebhookRequest[];
  let answer: Answer;
  const running: WebhookSender[] = [];
  const test = it.skipIf(missing);

  beforeEach(async () => {
    if (missing) return;
    own = await open();
    clock = createFakeClock();
    requests = [];
    answer = () => answered(204);
    deps = await processOn(own.store);
  });
  afterEach(async () => {
    for (const sender of running.splice(0)) await sender.close();
    await own?.drop();
  });

  /** What a process on a store works with. Its requests are answered by `answer`. */
  const processOn = async (store: Store): Promise<WebhookDeps> => {
    const opened = await openCollections(store, collections);
    const { capabilities } = store;
    const flushPositions = createFlush({ ...opened, capabilities });
    const report = () => {};
    const feed = { ...opened, capabilities, flushPositions, clock, random: systemRandom };
    const feedTail = createFeedTail(feed, report);
    return {
      ...feed,
      report,
      feedTail,
      feedAppender: createFeedAppender(feed, report, feedTail.notify),
      addressRules: parseAddressRules([]),
      maxWebhooks: 100,
      deliveryRetentionMs: RETENTION_MS,
      webhookAttempts: noMeters.counter('steward_webhook_attempts_total'),
      wakeWebhooks: () => {},
      sender: {
        async post(request) {
          requests.push(request);
          const ended = new Promise<Outcome>((resolve) => {
            const aborted: Outcome = { kind: 'failed', reason: 'aborted', detail: '', durationMs: 0 };
            request.signal?.addEventListener('abort', () => resolve(aborted), { once: true });
          });
          return Promise.race([answer(request), ended]);
        },
        close: async () => {},
      },
    };
  };
  const start = (process = deps): WebhookSender => {
    const sender = startWebhookSender(process, ROUND_MS);
    running.push(sender);
    return sender;
  };

  const secret = createSecret(systemRandom);
  const make = async (fields: Partial<Webhook> = {}): Promise<string> => {
    const now = clock.now();
    const webhook: Webhook = {
      _id: newTimedId(systemRandom, now),
      version: 1,
      url: 'https://receiver.example/hook',
      description: '',
      types: [],
      targets: [],
      enabled: true,
      disabled_reason: '',
      enabled_ts: now,
      scopes: null,
      created_ts: now,
      created_by: '@root:test',
      changed_ts: now,
      changed_by: '@root:test',
      secrets: [{ secret, until: null }],
      deleted: false,
      progress: {
        position: await lastPosition(deps),
        last_success_ts: null,
        last_failure_ts: null,
        failing_since_ts: null,
        missed_from: null,
        missed_to: null,
      },
      ...fields,
    };
    await webhookAggregate.create(deps, webhook);
    return webhook._id;
  };
  let made = 0;
  const event = (fields: Partial<NewEvent> = {}): NewEvent => ({
    id: `evt_${made++}`,
    type: 'account.deactivated',
    time: clock.now(),
    actor: '@root:test',
    requestId: null,
    taskId: null,
    targets: ['@a:test'],
    data: '{"erased":true}',
    ...fields,
  });
  const append = async (...events: readonly NewEvent[]) => {
    await Promise.all(events.map((each) => deps.feedAppender.append(each)));
    return events.map(({ id }) => id);
  };
  const received = () => requests.map(({ headers }) => headers['webhook-id']);
  const delivery = async (webhook: string, id: string) =>
    deps.webhookDeliveries.findOne({ _id: deliveryId(webhook, id) });
  const stateOf = async (webhook: string, id: string) => (await delivery(webhook, id))?.state;
  const attemptsOf = async (webhook: string, id: string) => (await delivery(webhook, id))?.attempt ?? 0;
  const read = async (id: string) => (await deps.webhooks.findOne({ _id: id })) as Webhook;

  test('sends what a webhook selects and may see, in order, signed', async () => {
    await append(event());
    await make({
      types: ['account.*', 'room.deleted'],
      targets: ['@b:test', '!r:test'],
      scopes: ['users:read'],
    });
    start();
    const wanted = { targets: ['@a:test', '@b:test'] };
    const ids = await append(
      event(),
      event({ ...wanted, id: 'evt_x.first' }),
      event({ type: 'room.deleted', targets: ['!r:test'], data: '{"room_id":"!r:test"}' }),
      event({ type: 'device.deleted', ...wanted }),
      event({ ...wanted, time: 1 }),
      event({ ...wanted }),
    );
    await expect.poll(received, PATIENCE).toEqual(['evt_x~first', ids[4], ids[5]]);
    const [first] = requests;
    const message = new Verifier(secret);
    // The verifier reads the clock of the machine.
    expect(first?.headers['webhook-timestamp']).toBe(String(Math.floor(clock.now() / SECOND_MS)));
    expect(first?.headers['webhook-signature']).toBe(
      message.sign('evt_x~first', new Date(clock.now()), first?.body ?? ''),
    );
    expect(JSON.parse(requests[1]?.body ?? '')).toEqual({
      id: ids[4],
      position: 6,
      type: 'account.deactivated',
      time: 1,
      timestamp: '1970-01-01T00:00:00.001Z',
      actor: '@root:test',
      request_id: null,
      targets: wanted.targets,
      data: { erased: true },
    });
  });

  test('a webhook is tested and replayed by callers with its scopes, who see the deliveries of events that they may see', async () => {
    const webhook = await make({ scopes: ['users:read', 'rooms:read'] });
    start();
    const [account = '', room = ''] = await append(
      event(),
      event({ type: 'room.deleted', targets: ['!r:test'], data: '{"room_id":"!r:test"}' }),
    );
    await expect.poll(() => stateOf(webhook, room), PATIENCE).toBe('delivered');
    const as = (...scopes: Scope[]) => contextOf({ admin: false, scopes });
    const listed = async (context: HandlerContext) => {
      const request = create(ListWebhookDeliveriesRequestSchema, { id: webhook });
      return (await listWebhookDeliveries(deps, request, context)).deliveries?.map(({ eventId }) => eventId);
    };
    const of = (id: string) => ({ id: webhook, deliveryId: deliveryId(webhook, id) });
    const replay = (context: HandlerContext) =>
      replayWebhookDelivery(deps, create(ReplayWebhookDeliveryRequestSchema, of(account)), context);
    const weak = as(Scope.WEBHOOKS_WRITE, Scope.USERS_READ);
    const tested = create(TestWebhookRequestSchema, { id: webhook });
    for (const refused of [testWebhook(deps, tested, weak), replay(weak)])
      await expect(refused).rejects.toThrow('rooms:read');
    const get = (id: string, context: HandlerContext) =>
      getWebhookDelivery(deps, create(GetWebhookDeliveryRequestSchema, of(id)), context);
    expect(await listed(weak)).toEqual([account]);
    expect((await get(account, weak)).delivery).toMatchObject({ eventId: account });
    await expect(get(room, weak)).rejects.toThrow('not found');
    const strong = as(Scope.WEBHOOKS_WRITE, Scope.USERS_READ, Scope.ROOMS_READ);
    expect((await listed(strong))?.length).toBe(2);
    await replay(strong);
    await testWebhook(deps, tested, strong);
    expect(await listed(as())).toEqual([expect.stringMatching(/^test_/)]);
  });

  test('repeats after 5 s, 5 min, 30 min, 2, 5, 10, 14, 20 and 24 h, give or take a fifth, and then gives up', async () => {
    answer = () => failed;
    const webhook = await make();
    const sender = start();
    const [id = ''] = await append(event());
    const pauses = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];
    for (const [index, seconds] of pauses.entries()) {
      await expect.poll(() => attemptsOf(webhook, id), PATIENCE).toBe(index + 1);
      const due = (await delivery(webhook, id))?.due ?? 0;
      const pauseMs = due - clock.now();
      expect(pauseMs).toBeGreaterThanOrEqual(seconds * 800);
      expect(pauseMs).toBeLessThanOrEqual(seconds * 1_200);
      clock.advance(pauseMs);
      sender.notify();
    }
    await expect.poll(() => stateOf(webhook, id), PATIENCE).toBe('failed');
    expect(requests).toHaveLength(10);
    expect(new Set(received())).toEqual(new Set([id]));
    expect(await delivery(webhook, id)).toMatchObject({
      attempt: 10,
      attempts: expect.arrayContaining([expect.objectContaining({ failure: 'connect', status: null })]),
    });
  });

  test('waits longer when the receiver asks for it, at most a day, and not for less than planned', async () => {
    const webhook = await make();
    const sender = start();
    for (const [status, askedMs, fromMs, toMs] of [
      [503, 40 * HOUR_MS, DAY_MS, DAY_MS],
      [429, 1, 4 * SECOND_MS, 6 * SECOND_MS],
      [500, HOUR_MS, 4 * SECOND_MS, 6 * SECOND_MS],
    ] as const) {
      answer = () => answered(status, askedMs);
      const [id = ''] = await append(event());
      sender.notify();
      await expect.poll(() => attemptsOf(webhook, id), PATIENCE).toBe(1);
      const pauseMs = ((await delivery(webhook, id))?.due ?? 0) - clock.now();
      expect([pauseMs >= fromMs, pauseMs <= toMs], String(status)).toEqual([true, true]);
    }
  });

  test('goes on with later events, and to other webhooks, when one fails or does not answer', async () => {
    const slow = await make({ url: 'https://slow.example/' });
    const other = await make();
    answer = ({ url }) => (url.includes('slow') ? new Promise(() => {}) : answered(200));
    start();
    const ids = await append(event(), event(), event());
    await expect.poll(() => requests.filter(({ url }) => !url.includes('slow')).length, PATIENCE).toBe(3);
    expect(requests.filter(({ url }) => url.includes('slow'))).toHaveLength(1);
    await expect.poll(() => stateOf(other, ids[2] ?? ''), PATIENCE).toBe('delivered');
    // After a failure, up to five at a time.
    for (const sender of running.splice(0)) await sender.close();
    requests = [];
    answer = () => failed;
    start();
    await expect.poll(async () => (await delivery(slow, ids[2] ?? ''))?.attempt, PATIENCE).toBe(1);
    const progress = async () => (await read(slow)).progress.failing_since_ts;
    await expect.poll(progress, PATIENCE).toBe(clock.now());
  });

  test('a webhook is switched off by a 410, once and with an event, and continues where it stopped', async () => {
    answer = () => answered(410);
    const webhook = await make({ types: ['account.*'] });
    start();
    const [gone = ''] = await append(event());
    await expect.poll(async () => (await read(webhook)).disabled_reason, PATIENCE).toBe('gone');
    expect(await stateOf(webhook, gone)).toBe('failed');
    const disabled = async () => {
      const { events } = await readEvents(deps, { rights: { admin: true }, limit: 100 });
      return events.filter(({ type }) => type === 'webhook.disabled');
    };
    await expect.poll(disabled, PATIENCE).toMatchObject([
      {
        actor: null,
        targets: [`webhook:${webhook}`],
        data: JSON.stringify({ id: webhook, reason: 'gone' }),
      },
    ]);
    const [missed = ''] = await append(event());
    answer = () => answered(200);
    const set = { enabled: true, enabled_ts: clock.now(), disabled_reason: '' } as const;
    await webhookAggregate.change(deps, webhook, () => ({ set }));
    await expect.poll(() => stateOf(webhook, missed), PATIENCE).toBe('delivered');
    expect(await stateOf(webhook, gone)).toBe('failed');
  });

  test('a webhook is switched off after five days with nothing but failures, not by a failure after a success', async () => {
    const webhook = await make({ types: ['account.*'] });
    const sender = start();
    const send = async (outcome: Outcome) => {
      answer = () => outcome;
      const before = requests.length;
      await append(event());
      sender.notify();
      await expect.poll(() => requests.length, PATIENCE).toBeGreaterThan(before);
    };
    await send(failed);
    clock.advance(4 * SECOND_MS);
    await send(answered(200));
    const failingSince = async () => (await read(webhook)).progress.failing_since_ts;
    const lastSuccess = async () => (await read(webhook)).progress.last_success_ts;
    await expect.poll(lastSuccess, PATIENCE).toBe(clock.now());
    expect(await failingSince()).toBe(null);
    clock.advance(6 * DAY_MS);
    await send(failed);
    await expect.poll(failingSince, PATIENCE).toBe(clock.now());
    clock.advance(5 * DAY_MS - 1);
    await send(failed);
    const lastFailure = async () => (await read(webhook)).progress.last_failure_ts;
    await expect.poll(lastFailure, PATIENCE).toBe(clock.now());
    expect((await read(webhook)).enabled).toBe(true);
    clock.advance(1);
    await append(event());
    await expect.poll(async () => (await read(webhook)).disabled_reason, PATIENCE).toBe('failing');
  });

  test('loses nothing if a process is killed at any call, and sends again with the same id only', {
    timeout: 120_000,
  }, async () => {
    for (const point of ['before', 'during', 'after'] as const) {
      for (let call = 1; call <= 14; call++) {
        requests = [];
        const webhook = await make();
        const crashable = crashableStore(own.store, { writesAlong: true });
        const crashing = await processOn(crashable.store);
        crashable.crashAt(call, point);
        start({ ...crashing, feedTail: deps.feedTail });
        const ids = await append(event(), event(), event());
        await expect.poll(() => crashable.hasCrashed, PATIENCE).toBe(true);
        // A killed process keeps its lease until it ends.
        clock.advance(DAY_MS);
        const survivor = start();
        const states = () => Promise.all(ids.map((id) => stateOf(webhook, id)));
        await expect.poll(states, PATIENCE).toEqual(['delivered', 'delivered', 'delivered']);
        expect(new Set(received())).toEqual(new Set(ids));
        await survivor.close();
        for (const sender of running.splice(0)) await sender.close();
        await webhookAggregate.delete(deps, webhook);
      }
    }
  });

  test('sends each message once if several processes run, and another one goes on when one ends', async () => {
    const webhook = await make();
    const first = start(await processOn(own.store));
    start(await processOn(own.store));
    const ids = await append(...Array.from({ length: 30 }, () => event()));
    await expect.poll(() => requests.length, PATIENCE).toBeGreaterThan(3);
    await first.close();
    await expect.poll(() => stateOf(webhook, ids.at(-1) ?? ''), PATIENCE).toBe('delivered');
    // The request that ran when the first process ended is repeated.
    expect([...new Set(received())]).toEqual(ids);
    expect(requests.length).toBeLessThanOrEqual(ids.length + 1);
  });

  test('continues at the oldest event, and says so, when the next one is past its retention', async () => {
    const webhook = await make();
    await append(event(), event());
    clock.advance(2 * DAY_MS);
    const [kept = ''] = await append(event());
    await sweepFeed({ ...deps, feedRetentionMs: DAY_MS });
    start();
    await expect.poll(() => stateOf(webhook, kept), PATIENCE).toBe('delivered');
    expect((await read(webhook)).progress).toMatchObject({ missed_from: 1, missed_to: 2 });
    expect(received()).toEqual([kept]);
  });

  test('continues at the end of a feed that was restored', async () => {
    const progress = { last_success_ts: null, last_failure_ts: null, failing_since_ts: null };
    await append(event());
    const webhook = await make({
      progress: { ...progress, position: 7, missed_from: null, missed_to: null },
    });
    start();
    await expect.poll(async () => (await read(webhook)).progress.position, PATIENCE).toBe(1);
    const [next = ''] = await append(event());
    await expect.poll(() => stateOf(webhook, next), PATIENCE).toBe('delivered');
  });

  test('does not send what waits once the webhook has lost its scope', async () => {
    answer = () => failed;
    const webhook = await make();
    const sender = start();
    const [id = ''] = await append(event());
    await expect.poll(() => attemptsOf(webhook, id), PATIENCE).toBe(1);
    await webhookAggregate.change(deps, webhook, () => ({ set: { scopes: ['rooms:read'] } }));
    clock.advance(HOUR_MS);
    sender.notify();
    await expect.poll(() => stateOf(webhook, id), PATIENCE).toBe('discarded');
    expect(requests).toHaveLength(1);
    expect((await delivery(webhook, id))?.scope).toBe(Scope.USERS_READ);
  });

  test('sends what waits at once when it is switched on again', async () => {
    answer = () => failed;
    const webhook = await make();
    const sender = start();
    const ids = await append(event(), event(), event());
    for (const id of ids) await expect.poll(() => attemptsOf(webhook, id), PATIENCE).toBe(1);
    await sender.close();
    requests = [];
    answer = () => answered(200);
    const now = clock.now();
    const set = { enabled: true, enabled_ts: now };
    await webhookAggregate.change(deps, webhook, () => ({ set, effects: [{ kind: 'resumed', ts: now }] }));
    start();
    await expect.poll(() => stateOf(webhook, ids[2] ?? ''), PATIENCE).toBe('delivered');
    await expect.poll(() => new Set(received()), PATIENCE).toEqual(new Set(ids));
  });

  test('sends a test and one repeated delivery however much waits, the test first, and takes ten tests', async () => {
    const webhook = await make();
    const full = Array.from({ length: 1_000 }, (_, index) =>
      newDelivery(deps, {
        webhook,
        event: `evt_full_${index}`,
        type: 'account.created',
        scope: Scope.USERS_READ,
        position: index + 1,
        body: '{}',
      }),
    );
    await deps.webhookDeliveries.insertMany(full);
    const test = await testWebhook(deps, create(TestWebhookRequestSchema, { id: webhook }), asAdministrator);
    const replay = { id: webhook, deliveryId: full[5]?._id ?? '' };
    expect(
      await replayWebhookDelivery(deps, create(ReplayWebhookDeliveryRequestSchema, replay), asAdministrator),
    ).toMatchObject({
      delivery: { state: 'pending' },
    });
    for (let more = 0; more < 9; more++)
      await testWebhook(deps, create(TestWebhookRequestSchema, { id: webhook }), asAdministrator);
    const refused = testWebhook(deps, create(TestWebhookRequestSchema, { id: webhook }), asAdministrator);
    await expect(refused).rejects.toThrow();
    start();
    await expect.poll(() => requests.length, PATIENCE).toBeGreaterThan(10);
    expect(requests.slice(0, 10).every(({ body }) => body.includes('webhook.test'))).toBe(true);
    expect(test.deliveryId).toContain(webhook);
  });

  test('replays without waiting in the task while as much is pending as may be', async () => {
    const webhook = await make();
    const full = Array.from({ length: 1_000 }, (_, index) =>
      newDelivery(deps, {
        webhook,
        event: `evt_room_${index}`,
        type: 'account.created',
        scope: Scope.USERS_READ,
        position: index + 1,
        body: '{}',
      }),
    );
    await deps.webhookDeliveries.insertMany(full);
    const task = {
      params: () => ({ webhook, after: 0, until: 1, sinceMs: null, untilMs: null }),
      cursor: () => undefined,
    };
    const run = replayTask(deps).run(task as unknown as RunningTask);
    await expect(run).rejects.toBeInstanceOf(TaskDeferred);
  });

  test('signs with the previous secret, too, until its overlap ends', async () => {
    const previous = { secret: createSecret(systemRandom), until: clock.now() + DAY_MS };
    await make({ secrets: [{ secret, until: null }, previous] });
    start();
    const signatures = () => requests.map(({ headers }) => headers['webhook-signature']?.split(' ').length);
    await append(event());
    await expect.poll(signatures, PATIENCE).toEqual([2]);
    clock.advance(DAY_MS);
    await append(event());
    await expect.poll(signatures, PATIENCE).toEqual([2, 1]);
  });

  test('orders a delivery again once for each task, with all its attempts', async () => {
    const webhook = await make();
    const sender = start();
    const [id = ''] = await append(event());
    await expect.poll(() => stateOf(webhook, id), PATIENCE).toBe('delivered');
    const about = await read(webhook);
    const again = () => sendAgain(deps, about, deliveryId(webhook, id), 'task');
    expect(await again()).toMatchObject({ state: 'pending', attempt: 0 });
    sender.notify();
    await expect.poll(() => stateOf(webhook, id), PATIENCE).toBe('delivered');
    expect(await again()).toMatchObject({ state: 'delivered' });
    expect(received()).toEqual([id, id]);
    expect((await delivery(webhook, id))?.attempts).toHaveLength(2);
  });

  test('removes deliveries past their retention, and what is left of a deleted webhook', async () => {
    const webhook = await make();
    const deleted = await make();
    const sender = start();
    const [id = ''] = await append(event());
    await expect.poll(() => stateOf(deleted, id), PATIENCE).toBe('delivered');
    await expect.poll(() => stateOf(webhook, id), PATIENCE).toBe('delivered');
    await sender.close();
    await webhookAggregate.change(deps, deleted, () => ({
      set: { deleted: true, enabled: false, changed_ts: clock.now() },
    }));
    await sweepWebhooks(deps);
    expect(await stateOf(deleted, id)).toBe(undefined);
    clock.advance(HOUR_MS);
    await sweepWebhooks(deps);
    expect(await deps.webhooks.findOne({ _id: deleted })).toBe(null);
    expect(await stateOf(webhook, id)).toBe('delivered');
    clock.advance(RETENTION_MS);
    await sweepWebhooks(deps);
    expect(await stateOf(webhook, id)).toBe(undefined);
  });
});
