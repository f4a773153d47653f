import type { Config } from '@steward/config';
import { type Bus, openOutbox, type Report, startRelay } from '@steward/events';
import { type Clock, type Random, randomId, repeat } from '@steward/kernel';
import { createLimits } from '@steward/limits';
import type { Authenticate, Route } from '@steward/rpc';
import { migrate, type Store, sharedKey, sweepOwed } from '@steward/store';
import { settleAnnouncement } from './core/account-data/account-data-stream.ts';
import { settleAccountOwed } from './core/accounts/apply-account-effect.ts';
import { sweepEndedSessions } from './core/accounts/effects/end-sessions.ts';
import { openCollections, serverKeys } from './core/collections.ts';
import { createLastSeen } from './core/components/last-seen.ts';
import { createMonthlyUsers } from './core/components/monthly-users.ts';
import { createPasswords } from './core/components/passwords.ts';
import type { Deps } from './core/deps.ts';
import { roomPurged, userDeactivated } from './core/facts.ts';
import { authenticate } from './core/sessions/authenticate.ts';
import { pruneConnections } from './core/sessions/prune-connections.ts';
import { readSettings } from './core/settings.ts';
import { onRoomPurged } from './events/on-room-purged.ts';
import { onUserDeactivated } from './events/on-user-deactivated.ts';
import { migrations } from './migrations.ts';
import type { Rooms } from './peers/rooms.ts';
import { createRoutes } from './routes.ts';

/** The name under which the service keeps its collections and consumers. */
const SERVICE = 'user';

/** How often accounts are looked for whose changes still owe something, should a process have died. */
const SWEEP_INTERVAL_MS = 30_000;
const SWEEP_BATCH = 100;

/** How long a start waits for another process's migrations: longer than a dead one keeps its turn. */
const MIGRATION_WAIT_MS = 15 * 60_000;

/** What the service stands on. */
export interface UserServiceOptions {
  readonly config: Config;
  readonly store: Store;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly random: Random;
  readonly rooms: Rooms;
  /** Told of work that failed in the background; it will be tried again. */
  readonly report: Report;
}

/** The running service. */
export interface UserService {
  readonly routes: readonly Route[];
  readonly authenticate: Authenticate;
  /** Resolves when no change owes anything and no fact waits to be published. */
  settle(): Promise<void>;
  close(): Promise<void>;
}

/** Starts the user service: accounts, devices, sessions. */
export async function startUserService(options: UserServiceOptions): Promise<UserService> {
  const { config, store, bus, clock, random, rooms, report } = options;
  await migrate(store, migrations, {
    service: SERVICE,
    owner: randomId(random),
    clock,
    deadlineMs: clock.now() + MIGRATION_WAIT_MS,
  });
  const outbox = await openOutbox(store, SERVICE);
  const keys = await store.collection(serverKeys);
  const opened = await openCollections(store);
  const lastSeen = createLastSeen({
    accounts: opened.accounts,
    devices: opened.devices,
    connections: opened.connections,
    clock,
    onFault: (error) => report('last-seen times were not written', { error }),
  });
  const base: Omit<Deps, 'relay'> = {
    ...opened,
    serverName: config.server.name,
    settings: readSettings(config),
    clock,
    random,
    passwords: await createPasswords(),
    limits: createLimits(config.rate_limits, clock),
    monthlyUsers: createMonthlyUsers({
      accounts: opened.accounts,
      clock,
      limit: config.monthly_active_users.enabled ? config.monthly_active_users.limit : undefined,
    }),
    lastSeen,
    rooms,
    backgroundUpdates: { enabled: true },
    bus,
    outbox,
    nonceKey: await sharedKey(keys, 'registration_nonce', random),
  };

  const subscription = await bus.subscribe({
    durable: `${SERVICE}-sessions`,
    facts: [userDeactivated],
    handler: ({ fact }) => onUserDeactivated(base, fact),
  });
  const ofRooms = await bus.subscribe({
    durable: `${SERVICE}-rooms`,
    facts: [roomPurged],
    handler: ({ fact }) => onRoomPurged(base, fact),
  });
  const relay = await startRelay({ store, service: SERVICE, bus, clock, random, report });
  const deps: Deps = { ...base, relay };
  const sweep = () =>
    sweepOwed(deps.accounts, (owed, account) => settleAccountOwed(deps, owed, account), {
      batch: SWEEP_BATCH,
    })
      .finally(() => relay.nudge())
      .finally(() =>
        sweepOwed(deps.accountDataStreams, (owed) => settleAnnouncement(deps, owed), { batch: SWEEP_BATCH }),
      );
  const prune = () =>
    pruneConnections(deps).catch((error) => report('old connections were not forgotten', { error }));
  const endAgain = () =>
    sweepEndedSessions(deps).catch((error) => report('ended sessions were not cleaned up again', { error }));
  const sweeps = repeat(() => sweep().finally(endAgain).finally(prune), {
    intervalMs: SWEEP_INTERVAL_MS,
    onFault: (error) => report('what changes owe was not settled', { error }),
  });

  return {
    routes: createRoutes(deps),
    authenticate: (token, how, client) => authenticate(deps, token, how, client),
    async settle() {
      await lastSeen.flush();
      await sweep();
      await endAgain();
      await relay.settle();
    },
    async close() {
      await sweeps.close();
      await lastSeen.close();
      await subscription.close();
      await ofRooms.close();
      await relay.close();
    },
  };
}
