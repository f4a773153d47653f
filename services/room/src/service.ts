import type { Transport } from '@connectrpc/connect';
import type { Config } from '@steward/config';
import { type Bus, openOutbox, type Report, startRelay } from '@steward/events';
import { type Clock, formatUserId, type Random, repeat } from '@steward/kernel';
import { createLimits } from '@steward/limits';
import type { Route } from '@steward/rpc';
import { type Store, sharedKey } from '@steward/store';
import { Tasks } from '@steward/tasks';
import pLimit from 'p-limit';
import { runBatch } from './core/aggregate/run-batch.ts';
import { sweepImports } from './core/aggregate/sweep-imports.ts';
import { sweepRooms } from './core/aggregate/sweep-rooms.ts';
import { sweepUnseen } from './core/aggregate/sweep-unseen.ts';
import { openCollections, serverKeys, tasks as taskCollections } from './core/collections.ts';
import { pruneCursors } from './core/cursors/cursors.ts';
import type { Deps } from './core/deps.ts';
import { createStays } from './core/model/membership-epochs.ts';
import { RoomMemory } from './core/model/room-memory.ts';
import { signingKeyFromSeed } from './core/protocol/mod.ts';
import type { AppendJob } from './core/queues/append-job.ts';
import { RoomQueues } from './core/queues/room-queues.ts';
import { Bells } from './core/queues/waiters.ts';
import { startConsumers } from './events/consumers.ts';
import { accountFeedsThrough } from './peers/account-feeds.ts';
import { usersThrough } from './peers/users.ts';
import { createRoutes } from './routes.ts';
import { deletionTask } from './verbs/deletion/deletion-task.ts';
import { purgeTask } from './verbs/purge/purge-task.ts';
import { sweepUpgrades } from './verbs/rooms/sweep-upgrades.ts';
import { userRedactionTask } from './verbs/user-redaction/user-redaction-task.ts';

/** The name under which the service keeps its collections and consumers. */
const SERVICE = 'room';

/** How often what dead processes left is looked for. */
const SWEEP_INTERVAL_MS = 30_000;

/** The name of the key that signs events. */
const SIGNING_KEY_ID = 'ed25519:steward';

/** How many users may be invited when a room is created, where the rate limits do not say. */
const MAX_FIRST_INVITES = 1_000;

/** How many answers of syncs are made at once; each may take some megabytes. */
const MAX_SYNCS_AT_WORK = 16;

/** What the service stands on. */
export interface RoomServiceOptions {
  readonly config: Config;
  readonly store: Store;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly random: Random;
  /** The way to the user service. */
  readonly user: Transport;
  /** Told of work that failed in the background; it will be tried again. */
  readonly report: Report;
}

/** The running service. */
export interface RoomService {
  readonly routes: readonly Route[];
  /** Resolves when no change owes anything and no fact waits to be published. */
  settle(): Promise<void>;
  /** Answers those who wait for something to happen, and lets nobody wait any longer: the end is near. */
  release(): void;
  close(): Promise<void>;
}

/** Starts the room service: rooms, what happens in them, and who is in which. */
export async function startRoomService(options: RoomServiceOptions): Promise<RoomService> {
  const { config, store, bus, clock, random, report } = options;
  const outbox = await openOutbox(store, SERVICE);
  const keys = await store.collection(serverKeys);
  const queues = new RoomQueues<AppendJob>((roomId, jobs) => runBatch(deps, roomId, jobs));
  const base: Omit<Deps, 'relay'> = {
    serverName: config.server.name,
    settings: {
      defaultRoomVersion: config.rooms.default_version,
      maxFirstInvites: config.rate_limits.enabled
        ? config.rate_limits.invites_per_room.burst
        : MAX_FIRST_INVITES,
      publicRooms: {
        enabled: config.public_rooms.enabled,
        requireAuth: config.public_rooms.require_auth,
      },
      noticesUserId: config.notices.enabled
        ? formatUserId(config.notices.localpart, config.server.name)
        : undefined,
      embeddedStore: config.store.url === 'sqlite',
      adminContact: config.monthly_active_users.admin_contact,
      shadowBanPauseMs: [config.shadow_ban.pause_min_ms, config.shadow_ban.pause_max_ms],
    },
    clock,
    random,
    ...(await openCollections(store)),
    users: usersThrough(options.user),
    accountFeeds: accountFeedsThrough(options.user),
    limits: createLimits(config.rate_limits, clock),
    bus,
    outbox,
    queues,
    tasks: await Tasks.open({
      store,
      collections: taskCollections,
      bus,
      clock,
      random,
      alone: config.store.url === 'sqlite',
      report,
    }),
    bells: new Bells(bus),
    syncTurns: pLimit(MAX_SYNCS_AT_WORK),
    memory: new RoomMemory(),
    signingKey: signingKeyFromSeed(SIGNING_KEY_ID, await sharedKey(keys, 'signing', random)),
    nextStay: createStays(clock),
    inventionKey: await sharedKey(keys, 'invented_events', random),
  };
  const ready = Promise.withResolvers<Deps>();
  const consumers = await startConsumers(bus, SERVICE, ready.promise);
  const relay = await startRelay({ store, service: SERVICE, bus, clock, random, report });
  const deps: Deps = { ...base, relay };
  ready.resolve(deps);
  deps.tasks.start([deletionTask(deps), purgeTask(deps), userRedactionTask(deps)]);

  const sweep = async () => {
    await sweepRooms(deps).finally(() => relay.nudge());
    await sweepUpgrades(deps);
    await sweepUnseen(deps);
    await sweepImports(deps);
    await pruneCursors(deps);
  };
  const sweeps = repeat(sweep, {
    intervalMs: SWEEP_INTERVAL_MS,
    onFault: (error) => report('what rooms owe was not settled', { error }),
  });

  return {
    routes: createRoutes(deps),
    async settle() {
      await queues.idle();
      await sweepUpgrades(deps);
      await deps.tasks.settle();
      await sweepRooms(deps);
      await relay.settle();
    },
    release() {
      deps.bells.silence();
      deps.tasks.release();
    },
    async close() {
      await consumers.close();
      await deps.tasks.close();
      await sweeps.close();
      await queues.idle();
      await relay.close();
    },
  };
}
