import type { Transport } from '@connectrpc/connect';
import type { Config } from '@steward/config';
import { formatUserId, randomId, risingTimes } from '@steward/kernel';
import { createQuotas, FairSlots, openLimits } from '@steward/limits';
import { authorityThrough, type Route } from '@steward/rpc';
import { RELEASE } from '@steward/runtime';
import {
  breakLease,
  openCollections,
  type ServiceEngines,
  type ServiceParts,
  type ServiceShell,
  startService,
} from '@steward/service';
import { createCounts } from '@steward/statistics';
import { migrate, sharedKey } from '@steward/store';
import { createSender, parseAddressRules } from '@steward/webhooks';
import { sweepBlocks } from './core/aggregate/block-room.ts';
import { countMessages } from './core/aggregate/count-messages.ts';
import { rooms } from './core/aggregate/rooms.ts';
import { runBatch } from './core/aggregate/run-batch.ts';
import { sweepImports } from './core/aggregate/sweep-imports.ts';
import { sweepUnseen } from './core/aggregate/sweep-unseen.ts';
import { collections, serverKeys, tasks } from './core/collections.ts';
import { pruneCursors } from './core/cursors/cursors.ts';
import { prunePurgedRooms } from './core/cursors/prune-purged-rooms.ts';
import type { Deps, Settings } from './core/deps.ts';
import { meterRooms } from './core/meter-rooms.ts';
import { createDeviceCounts } from './core/model/device-counts.ts';
import { RoomMemory } from './core/model/room-memory.ts';
import { roomTopic } from './core/model/topics.ts';
import { UnreadMemory } from './core/model/unread-memory.ts';
import { readPushRules, signingKeyFromSeed } from './core/protocol/mod.ts';
import { meterPushes } from './core/push/meter-pushes.ts';
import { type PushSender, startPushSender } from './core/push/push-sender.ts';
import { ReceiptNews } from './core/queues/receipt-news.ts';
import { RoomQueues } from './core/queues/room-queues.ts';
import { Waiters } from './core/queues/waiters.ts';
import { announceReceipts, receiptAggregate } from './core/receipts/receipt-stream.ts';
import { Typing } from './core/typing/typing.ts';
import { consumersOf } from './events/consumers.ts';
import { migrations } from './migrations.ts';
import { accountFeedsThrough } from './peers/account-feeds.ts';
import { AccountMemory } from './peers/account-memory.ts';
import { pushTargetsThrough } from './peers/push-targets.ts';
import { usersThrough } from './peers/users.ts';
import { createRoutes } from './routes.ts';
import { deletionTask } from './verbs/deletion/deletion-task.ts';
import { roomOrderTask } from './verbs/orders/room-order-task.ts';
import { purgeTask } from './verbs/purge/purge-task.ts';
import { messageRetentionTask, scheduleMessageRetention } from './verbs/purge/retention-task.ts';
import { sweepUpgrades } from './verbs/rooms/sweep-upgrades.ts';
import { userRedactionTask } from './verbs/user-redaction/user-redaction-task.ts';

/** The name under which the service keeps its collections and consumers. */
const SERVICE = 'room';

/** How long a start waits for another process's migrations, in milliseconds: longer than the lease of a crashed one. */
const MIGRATION_WAIT_MS = 15 * 60_000;

/** The name of the key that signs events. */
const SIGNING_KEY_ID = 'ed25519:steward';

/** How many users may be invited when a room is created while rate limits are disabled. */
const MAX_FIRST_INVITES = 1_000;

/** The longest that a response waits for the consumers of facts, in milliseconds; clients thus read their own writes. */
const DELIVERY_WAIT_MS = 1_000;

/** How many sync responses are built concurrently; each may hold some megabytes. */
const MAX_CONCURRENT_SYNCS = 8;

/** How many of one user, so that the first syncs of one with many devices leave slots to others. */
const MAX_CONCURRENT_SYNCS_PER_USER = 4;

/** How many searches run concurrently; one of each user. */
const MAX_CONCURRENT_SEARCHES = 4;

/** How many searches of one user may wait. */
const MAX_WAITING_SEARCHES_PER_USER = 10;

/** How many requests to push gateways run concurrently. */
const MAX_CONCURRENT_PUSHES = 1_000;

/** How many to one gateway, so that one that does not answer leaves slots to the others. */
const MAX_CONCURRENT_PUSHES_PER_HOST = 20;

/** The dependencies of the service. */
export interface RoomServiceOptions extends ServiceEngines {
  readonly config: Config;
  /** The transport to the user service. */
  readonly user: Transport;
  /** Whether it sends pushes; an import does not. */
  readonly sendsPushes: boolean;
  /** How often what is due to be pushed is looked for, in milliseconds; 3,000 unless given. */
  readonly pushRoundMs?: number;
  /** The longest that a response waits for the consumers of facts, in milliseconds; 1,000 unless given. */
  readonly deliveryWaitMs?: number;
}

/** The running service. */
export interface RoomService extends Pick<ServiceShell<Deps>, 'whenIdle' | 'drain' | 'close'> {
  readonly routes: readonly Route[];
}

/** Starts the room service: rooms, their events and their members. */
export async function startRoomService(options: RoomServiceOptions): Promise<RoomService> {
  const { store, clock, random } = options;
  await migrate(store, migrations, {
    service: SERVICE,
    owner: randomId(random),
    clock,
    deadlineMs: clock.now() + MIGRATION_WAIT_MS,
    onProgress: options.onMigration,
  });
  let pushSender: PushSender | undefined;
  const shell = await startService<Deps>({
    ...options,
    name: SERVICE,
    deps: (parts) => openDeps(options, parts),
    consumers: consumersOf,
    taskKinds: (deps) => [
      deletionTask(deps),
      purgeTask(deps),
      messageRetentionTask(deps),
      userRedactionTask(deps),
      roomOrderTask(deps),
    ],
    sweeps: (deps) => [
      {
        run: () => rooms.sweep(deps),
        failure: 'the pending effects of rooms were not applied',
        untilIdle: true,
      },
      {
        run: () => receiptAggregate.sweep(deps),
        failure: 'the pending effects of receipts were not applied',
        untilIdle: true,
      },
      {
        run: () => sweepBlocks(deps),
        failure: 'changed blocks were not shown by their rooms',
        untilIdle: true,
      },
      { run: () => countMessages(deps), failure: 'the messages of rooms were not counted', untilIdle: true },
      { run: () => sweepUpgrades(deps), failure: 'interrupted upgrades of rooms were not ended' },
      { run: () => sweepUnseen(deps), failure: 'events that no commit admitted were not removed' },
      { run: () => sweepImports(deps), failure: 'imports that no commit admitted were not removed' },
      { run: () => scheduleMessageRetention(deps), failure: 'the retention of messages was not begun' },
      { run: () => pruneCursors(deps), failure: 'old cursors were not removed' },
      { run: () => prunePurgedRooms(deps), failure: 'rooms purged long ago were not forgotten' },
      { run: () => deps.counts.removeOld(), failure: 'old counts were not removed' },
    ],
    async whenIdle(deps) {
      await deps.queues.idle();
      await deps.receiptQueues.idle();
      await sweepUpgrades(deps);
    },
    drain: (deps) => deps.waiters.close(),
    close: (deps) => [
      () => pushSender?.close(),
      () => deps.queues.idle(),
      () => deps.receiptQueues.idle(),
      () => deps.receiptNews.close(),
      () => deps.typing.close(),
      () => deps.counts.close(),
      () => deps.limits.close(),
    ],
  });
  if (options.sendsPushes && !store.capabilities.loading) pushSender = await startPushes(options, shell.deps);
  return { ...shell, routes: createRoutes(shell.deps) };
}

async function openDeps(options: RoomServiceOptions, parts: ServiceParts): Promise<Deps> {
  const { config, store, bus, clock, random, report, meters } = options;
  const keys = await store.collection(serverKeys);
  const opened = await openCollections(store, collections);
  const accountFeeds = accountFeedsThrough(options.user);
  const waiters = new Waiters(bus);
  const typing = new Typing((roomId) => waiters.notify(roomTopic(roomId)));
  await typing.open(bus);
  const deps: Deps = {
    serverName: config.server.name,
    settings: settingsOf(options),
    capabilities: store.capabilities,
    clock,
    random,
    ...(await parts.openPublisher()),
    ...opened,
    users: usersThrough(options.user),
    authority: authorityThrough(options.user),
    accountFeeds,
    ignoredUsers: new AccountMemory((userId) => accountFeeds.ignoredBy(userId), bus, clock),
    pushRules: new AccountMemory(
      async (userId) => readPushRules(await accountFeeds.pushRules(userId)),
      bus,
      clock,
    ),
    unread: new UnreadMemory(),
    limits: await openLimits({ service: SERVICE, config, clock, random, bus, meters }),
    quotas: createQuotas(config, meters),
    counts: createCounts({
      ...{ ...opened, clock, random },
      retentionMs: config.statistics.retention_ms,
      onFault: (error) => report('counts were not stored', { error }),
    }),
    bus,
    queues: new RoomQueues((roomId, jobs) => runBatch(deps, roomId, jobs)),
    tasks: await parts.openTasks(tasks, authorityThrough(options.user)),
    waiters,
    receiptQueues: new RoomQueues((roomId, jobs) => announceReceipts(deps, roomId, jobs)),
    receiptNews: new ReceiptNews((roomId) => bus.notify(roomTopic(roomId)), clock),
    typing,
    syncSlots: new FairSlots({ slots: MAX_CONCURRENT_SYNCS, slotsPerKey: MAX_CONCURRENT_SYNCS_PER_USER }),
    searchSlots: new FairSlots({
      slots: MAX_CONCURRENT_SEARCHES,
      slotsPerKey: 1,
      maxWaitingPerKey: MAX_WAITING_SEARCHES_PER_USER,
    }),
    memory: new RoomMemory(),
    deviceCounts: createDeviceCounts(),
    signingKey: signingKeyFromSeed(SIGNING_KEY_ID, await sharedKey(keys, 'signing', random)),
    nextMembershipEpoch: risingTimes(clock),
    inventionKey: await sharedKey(keys, 'invented_events', random),
  };
  meterRooms(deps, meters);
  return deps;
}

async function startPushes(options: RoomServiceOptions, deps: Deps): Promise<PushSender> {
  const { config, clock, report, meters, pushRoundMs } = options;
  // The lease that a sole writer finds was left by a crash.
  if (deps.capabilities.soleWriter) await breakLease(deps.pushLeases);
  const sender = createSender({
    rules: parseAddressRules(config.push.allowed_addresses),
    timeoutMs: config.push.timeout_ms,
    release: RELEASE,
    clock,
  });
  const attempts = meters.counter('steward_push_attempts_total');
  const gatewaySlots = new FairSlots({
    slots: MAX_CONCURRENT_PUSHES,
    slotsPerKey: MAX_CONCURRENT_PUSHES_PER_HOST,
  });
  const targets = pushTargetsThrough(options.user);
  const pushSender = startPushSender(
    { ...deps, targets, sender, report, attempts, gatewaySlots },
    pushRoundMs,
  );
  meterPushes(pushSender, clock, meters);
  return pushSender;
}

/** No more than the limits can ever admit at once. */
function maxFirstInvites({ enabled, invites_per_room, invites_per_issuer }: Config['rate_limits']): number {
  return enabled ? Math.min(invites_per_room.burst, invites_per_issuer.burst) : MAX_FIRST_INVITES;
}

function settingsOf({ config, deliveryWaitMs = DELIVERY_WAIT_MS }: RoomServiceOptions): Settings {
  return {
    defaultRoomVersion: config.rooms.default_version,
    showOrders: config.rooms.show_orders,
    maxFirstInvites: maxFirstInvites(config.rate_limits),
    publicRooms: {
      enabled: config.public_rooms.enabled,
      requireAuth: config.public_rooms.require_auth,
    },
    noticesUserId: formatUserId(config.notices.localpart, config.server.name),
    adminContact: config.monthly_active_users.admin_contact,
    deliveryWaitMs,
    retention: {
      intervalMs: config.retention.interval_ms,
      maxAgeMs: config.retention.messages.max_age_ms,
      rooms: config.retention.messages.rooms,
    },
    shadowBanPauseMs: [config.shadow_ban.pause_min_ms, config.shadow_ban.pause_max_ms],
  };
}
