import type { Config } from '@steward/config';
import { formatUserId, randomId, repeat, risingTimes } from '@steward/kernel';
import { createQuotas, openLimits } from '@steward/limits';
import type { Authenticate, Authority, Route } from '@steward/rpc';
import type { Check } from '@steward/runtime';
import { openCollections, type ServiceEngines, startService } from '@steward/service';
import { createCounts } from '@steward/statistics';
import { migrate, sharedKey } from '@steward/store';
import { streamAggregate } from './core/account-data/account-data-stream.ts';
import { accountAggregate } from './core/accounts/account-aggregate.ts';
import { hasOwnAccount, settleSender } from './core/accounts/adopt-account.ts';
import { sweepEndedSessions } from './core/accounts/effects/end-sessions.ts';
import { flagBridges } from './core/accounts/flag-bridges.ts';
import { hasAdministrator } from './core/accounts/has-administrator.ts';
import { meterAccounts } from './core/accounts/meter-accounts.ts';
import { pruneAdminSessions } from './core/admin-sessions/prune-admin-sessions.ts';
import { authenticate } from './core/authentication/authenticate.ts';
import { authorityOf } from './core/authority/authority-of.ts';
import { pruneAutomationTokens } from './core/automation-tokens/prune-automation-tokens.ts';
import { collections, tasks } from './core/collections.ts';
import { createExternalIdMutex } from './core/components/external-id-mutex.ts';
import { createKnownSecrets } from './core/components/known-secrets.ts';
import { createLastSeen } from './core/components/last-seen.ts';
import { createMonthlyUsers } from './core/components/monthly-users.ts';
import { createPasswords } from './core/components/passwords.ts';
import { readPeppers } from './core/components/peppers.ts';
import { openSealedSecrets } from './core/components/sealed-secrets.ts';
import { createTokenUses } from './core/components/token-uses.ts';
import type { Deps } from './core/deps.ts';
import { pruneReceived, pruneWaiting } from './core/device-messages/device-queue.ts';
import { meterDeviceMessages } from './core/device-messages/meter-device-messages.ts';
import { dehydratedAggregate } from './core/devices/dehydrated-device.ts';
import { groupAggregate } from './core/groups/group-aggregate.ts';
import { createIdentityProviders } from './core/identity-providers/identity-providers.ts';
import { createIntrospector } from './core/introspection/introspector.ts';
import { sweepKeyChanges } from './core/key-changes/change-keys.ts';
import { keyChangeAggregate } from './core/key-changes/key-change-stream.ts';
import { pruneConnections } from './core/sessions/prune-connections.ts';
import { pruneLoginTokens } from './core/sessions/prune-login-tokens.ts';
import { pruneOpenIdTokens } from './core/sessions/prune-openid-tokens.ts';
import { pruneSignIns } from './core/sessions/prune-sign-ins.ts';
import { readSettings } from './core/settings.ts';
import { consumers } from './events/consumers.ts';
import { migrations } from './migrations.ts';
import type { Media } from './peers/media.ts';
import type { Rooms } from './peers/rooms.ts';
import { createRoutes } from './routes.ts';
import { groupApplyTask, scheduleGroups } from './verbs/groups/group-apply-task.ts';

/** The name under which the service keeps its collections and consumers. */
const SERVICE = 'user';

/** How long a start waits for another process's migrations, in milliseconds: longer than the lease of a crashed one. */
const MIGRATION_WAIT_MS = 15 * 60_000;

/** When the flags of bridges are tried again that could not be written, in milliseconds. */
const FLAGGING_RETRY_MS = 60_000;

/** What the service needs to run. */
export interface UserServiceOptions extends ServiceEngines {
  readonly config: Config;
  readonly rooms: Rooms;
  /** Called only where rules for avatars are configured. */
  readonly media: Media;
}

/** The running service. */
export interface UserService {
  readonly routes: readonly Route[];
  readonly authenticate: Authenticate;
  readonly authority: Authority;
  /** What it needs, besides the engines. */
  readonly checks: readonly Check[];
  /** Whether an account can administer the server. */
  hasAdministrator(): Promise<boolean>;
  /** Resolves when no effect is pending and no fact waits to be published. For tests. */
  whenIdle(): Promise<void>;
  close(): Promise<void>;
}

/** Starts the user service: accounts, devices, sessions. */
export async function startUserService({
  config,
  rooms,
  media,
  ...engines
}: UserServiceOptions): Promise<UserService> {
  const { store, bus, clock, random, report, meters } = engines;
  await migrate(store, migrations, {
    service: SERVICE,
    owner: randomId(random),
    clock,
    deadlineMs: clock.now() + MIGRATION_WAIT_MS,
    onProgress: engines.onMigration,
  });
  const { deps, whenIdle, close } = await startService<Deps>({
    name: SERVICE,
    ...engines,
    async deps({ openPublisher, openTasks }) {
      const opened = await openCollections(store, collections);
      meterAccounts(opened, meters);
      meterDeviceMessages(opened, meters);
      const { limit, enabled } = config.monthly_active_users;
      const onFault = (error: unknown) => report('last-seen times were not written', { error });
      return {
        ...opened,
        serverName: config.server.name,
        settings: readSettings(config),
        clock,
        random,
        passwords: await createPasswords(readPeppers(config)),
        sealedSecrets: openSealedSecrets(config, random, (error) =>
          report('the secret of a second factor could not be decrypted', { error }),
        ),
        limits: await openLimits({ service: SERVICE, config, clock, random, bus, meters }),
        signIns: meters.counter('steward_auth_sign_ins_total'),
        tokenRefusals: meters.counter('steward_auth_refusals_total'),
        droppedMessages: meters.counter('steward_device_messages_dropped_total'),
        counts: createCounts({
          ...{ ...opened, clock, random },
          retentionMs: config.statistics.retention_ms,
          onFault: (error) => report('counts were not stored', { error }),
        }),
        quotas: createQuotas(config, meters),
        monthlyUsers: createMonthlyUsers({ ...opened, clock, limit: enabled ? limit : undefined }),
        lastSeen: createLastSeen({ ...opened, clock, onFault }),
        tokenUses: createTokenUses({ ...opened, clock, onFault }),
        nextMessageTime: risingTimes(clock),
        knownSecrets: createKnownSecrets(),
        externalIdMutex: createExternalIdMutex(),
        identityProviders: createIdentityProviders(config, clock),
        introspector: createIntrospector(config, clock),
        rooms,
        media,
        backgroundUpdates: { enabled: true },
        bus,
        tasks: await openTasks(tasks),
        ...(await openPublisher()),
        nonceKey: await sharedKey(opened.serverKeys, 'registration_nonce', random),
      };
    },
    consumers,
    taskKinds: (deps) => [groupApplyTask(deps)],
    sweeps: (deps) => [
      {
        run: () => accountAggregate.sweep(deps),
        failure: 'pending effects of accounts were not applied',
        untilIdle: true,
      },
      {
        run: () => streamAggregate.sweep(deps),
        failure: 'pending effects of account data were not applied',
        untilIdle: true,
      },
      {
        run: () => dehydratedAggregate.sweep(deps),
        failure: 'pending effects of dehydrated devices were not applied',
        untilIdle: true,
      },
      {
        run: () => keyChangeAggregate.sweep(deps),
        failure: 'pending effects of changed keys were not applied',
        untilIdle: true,
      },
      {
        run: () => groupAggregate.sweep(deps),
        failure: 'changes of groups were not applied',
        untilIdle: true,
      },
      {
        run: () => scheduleGroups(deps, config.groups.interval_ms),
        failure: 'what groups say was not compared with their members',
      },
      { run: () => sweepKeyChanges(deps), failure: 'changes of keys were not announced', untilIdle: true },
      {
        run: () => sweepEndedSessions(deps),
        failure: 'ended sessions were not cleaned up again',
        untilIdle: true,
      },
      { run: () => pruneConnections(deps), failure: 'expired connections were not deleted' },
      { run: () => pruneReceived(deps), failure: 'received messages between devices were not deleted' },
      { run: () => pruneWaiting(deps), failure: 'old messages between devices were not deleted' },
      { run: () => pruneSignIns(deps), failure: 'expired sign-ins were not deleted' },
      { run: () => pruneAutomationTokens(deps), failure: 'expired automation tokens were not deleted' },
      { run: () => pruneAdminSessions(deps), failure: 'expired administrator sessions were not deleted' },
      { run: () => pruneOpenIdTokens(deps), failure: 'expired OpenID tokens were not deleted' },
      { run: () => pruneLoginTokens(deps), failure: 'expired login tokens were not deleted' },
      { run: () => deps.counts.removeOld(), failure: 'old counts were not removed' },
    ],
    whenIdle: ({ lastSeen, tokenUses }) => Promise.all([lastSeen.flush(), tokenUses.flush()]),
    close: ({ counts, lastSeen, tokenUses, limits, identityProviders, introspector }) => [
      () => identityProviders.close(),
      () => introspector?.close(),
      () => counts.close(),
      () => lastSeen.close(),
      () => tokenUses.close(),
      () => limits.close(),
    ],
  });
  const sender = formatUserId(config.notices.localpart, config.server.name);
  if (!store.capabilities.loading) {
    await settleSender(deps, sender, config.notices.enabled ? report : () => {}).catch((error: unknown) =>
      report('the account of server notices could not be taken over', { error }),
    );
  }
  const closing = new AbortController();
  // The next start of a server does it after an import.
  let flagged = store.capabilities.loading ? Promise.resolve() : undefined;
  const flag = () => {
    flagged ??= flagBridges(deps, closing.signal).catch((error: unknown) => {
      flagged = undefined;
      throw error;
    });
    return flagged;
  };
  const flagging = repeat(flag, {
    intervalMs: FLAGGING_RETRY_MS,
    onFault: (error) => report('accounts of bridges were not flagged', { error }),
  });
  return {
    routes: createRoutes(deps),
    authenticate: (token, rules, client) => authenticate(deps, token, rules, client),
    authority: authorityOf(deps),
    checks: config.notices.enabled
      ? [{ need: 'notices_account', without: 'degraded', passes: () => hasOwnAccount(deps, sender) }]
      : [],
    hasAdministrator: () => hasAdministrator(deps),
    async whenIdle() {
      await flag();
      await whenIdle();
    },
    async close() {
      closing.abort();
      await flagging.close();
      await close();
    },
  };
}
