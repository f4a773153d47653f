import type { Config } from '@steward/config';
import { type Bus, openOutbox, type Report, startRelay } from '@steward/events';
import { type Clock, type Random, randomId, repeat } from '@steward/kernel';
import { createLimits } from '@steward/limits';
import type { Authenticate, Route } from '@steward/rpc';
import { migrate, type Store, sharedKey, sweepOwed } from '@steward/store';
import { settleAnnouncement } from './core/account-data/account-data-stream.ts';
import type { Account } from './core/model/account.ts';
import { createMonthlyUsers } from './core/components/monthly-users.ts';
import { settleAccountOwed } from './core/accounts/apply-account-effect.ts';
import {
  accountData,
  accountDataStreams,
  accounts,
  connections,
  crossSigningKeys,
  devices,
  endedSessions,
  filters,
  interactiveSessions,
  keyBackupSessions,
  keyBackups,
  keySignatures,
  oneTimeKeys,
  pushers,
  refreshTokens,
  registrationTokens,
  serverKeys,
  spentNonces,
  tokens,
} from './core/collections.ts';
import type { Deps } from './core/deps.ts';
import type { Device } from './core/model/device.ts';
import type { Rooms } from './peers/rooms.ts';
import { roomPurged, userDeactivated } from './core/facts.ts';
import { onRoomPurged } from './events/on-room-purged.ts';
import { onUserDeactivated } from './events/on-user-deactivated.ts';
import { migrations } from './migrations.ts';
import { createRoutes } from './routes.ts';
import { authenticate } from './core/sessions/authenticate.ts';
import type { Connection } from './core/model/connection.ts';
import { sweepEndedSessions } from './core/accounts/effects/end-sessions.ts';
import { createLastSeen } from './core/components/last-seen.ts';
import { createPasswords } from './core/components/passwords.ts';
import { pruneConnections } from './core/sessions/prune-connections.ts';

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
  const accountsOf = await store.collection<Account>(accounts);
  const devicesOf = await store.collection<Device>(devices);
  const connectionsOf = await store.collection<Connection>(connections);
  const lastSeen = createLastSeen({
    accounts: accountsOf,
    devices: devicesOf,
    connections: connectionsOf,
    clock,
    onFault: (error) => report('last-seen times were not written', { error }),
  });
  const base: Omit<Deps, 'relay'> = {
    serverName: config.server.name,
    settings: {
      registrationSecret: config.registration.shared_secret ?? '',
      registrationEnabled: config.registration.enabled,
      registrationNeedsToken: config.registration.requires_token,
      takenNamesHidden: config.registration.inhibit_user_in_use,
      guestsAdmitted: config.registration.guests,
      refreshTokens: config.sessions.refresh_tokens,
      accessTokenLifetimeMs: config.sessions.access_token_lifetime_ms,
      adminContact: config.monthly_active_users.admin_contact,
      publicBaseUrl: config.server.public_baseurl,
      support: config.support,
      defaultRoomVersion: config.rooms.default_version,
      delegatedAuthentication: config.delegated_authentication.enabled,
      passwordLogin: config.passwords.enabled,
      passwordsMaySet: config.passwords.enabled && config.passwords.localdb_enabled,
      accountValidityEnabled: config.account_validity.enabled,
      accountValidityPeriodMs: config.account_validity.period_ms,
      userDirectory: {
        enabled: config.user_directory.enabled,
        searchAllUsers: config.user_directory.search_all_users,
        showLockedUsers: config.user_directory.show_locked_users,
      },
      noticesLocalpart: config.notices.localpart,
      shadowBanPause: { minMs: config.shadow_ban.pause_min_ms, maxMs: config.shadow_ban.pause_max_ms },
      passwordPolicy: config.passwords.policy,
      interactiveGraceMs: config.ui_auth.session_timeout_ms,
    },
    clock,
    random,
    accounts: accountsOf,
    devices: devicesOf,
    tokens: await store.collection(tokens),
    refreshTokens: await store.collection(refreshTokens),
    endedSessions: await store.collection(endedSessions),
    pushers: await store.collection(pushers),
    accountData: await store.collection(accountData),
    accountDataStreams: await store.collection(accountDataStreams),
    filters: await store.collection(filters),
    oneTimeKeys: await store.collection(oneTimeKeys),
    crossSigningKeys: await store.collection(crossSigningKeys),
    keySignatures: await store.collection(keySignatures),
    keyBackups: await store.collection(keyBackups),
    keyBackupSessions: await store.collection(keyBackupSessions),
    connections: connectionsOf,
    interactiveSessions: await store.collection(interactiveSessions),
    registrationTokens: await store.collection(registrationTokens),
    spentNonces: await store.collection(spentNonces),
    passwords: await createPasswords(),
    limits: createLimits(config.rate_limits, clock),
    monthlyUsers: createMonthlyUsers({
      accounts: accountsOf,
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
