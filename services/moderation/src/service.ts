import { setMaxListeners } from 'node:events';
import type { Transport } from '@connectrpc/connect';
import { openFingerprints } from '@steward/audit';
import { readSigningKeys } from '@steward/audit/chain';
import type { Config } from '@steward/config';
import { formatUserId } from '@steward/kernel';
import { createQuotas, FairSlots, openLimits } from '@steward/limits';
import { authorityThrough, createLocalTransport, type Route } from '@steward/rpc';
import { type Processes, RELEASE } from '@steward/runtime';
import {
  breakLease,
  openCollections,
  type ServiceEngines,
  type ServiceShell,
  startService,
} from '@steward/service';
import { createCounts } from '@steward/statistics';
import { taskRoute } from '@steward/tasks';
import { createSender, parseAddressRules } from '@steward/webhooks';
import { resolveTask } from './core/actions/resolve-task.ts';
import { sweepReports } from './core/announce-report.ts';
import { bulkTask } from './core/bulk/bulk-task.ts';
import { createFiler } from './core/cases/filer.ts';
import { sweepEvidence } from './core/cases/keep-evidence.ts';
import { meterCases } from './core/cases/meter-cases.ts';
import { notifyTask } from './core/cases/notify-task.ts';
import { createChainAppender } from './core/chain/chain-appender.ts';
import { NO_RECORD, signingRecordIn } from './core/chain/signing-record.ts';
import { collections, tasks } from './core/collections.ts';
import type { Deps } from './core/deps.ts';
import { appendEvents } from './core/feed/append-events.ts';
import { createCredentialWatch } from './core/feed/credential-watch.ts';
import { createFeedAppender } from './core/feed/feed-appender.ts';
import { startFeedPublisher } from './core/feed/feed-publisher.ts';
import { createFeedTail, FEED_TOPIC } from './core/feed/feed-tail.ts';
import { createFlush } from './core/feed/flush-positions.ts';
import { sweepFeed } from './core/feed/sweep-feed.ts';
import { eventOfSealed } from './core/feed/unresolved-event.ts';
import { meterChain } from './core/meter-chain.ts';
import { meterFeed } from './core/meter-feed.ts';
import { meterReports } from './core/meter-reports.ts';
import type { AuditEntry } from './core/model/audit-entry.ts';
import { OutcomeWaits } from './core/outcome-waits.ts';
import { hideReportsOfGoneRooms } from './core/reported-rooms.ts';
import { describeServer } from './core/server.ts';
import { removeOldSamples, sampleFigures } from './core/statistics/sample-figures.ts';
import { sweepAuditLog } from './core/sweep-audit-log.ts';
import { meterWebhooks } from './core/webhooks/meter-webhooks.ts';
import { replayTask } from './core/webhooks/replay-task.ts';
import { sweepWebhooks } from './core/webhooks/sweep-webhooks.ts';
import { startWebhookSender, WEBHOOK_TOPIC } from './core/webhooks/webhook-sender.ts';
import { consumers } from './events/consumers.ts';
import { actionsThrough } from './peers/actions.ts';
import { activityThrough } from './peers/activity.ts';
import { mediaUsageThrough } from './peers/media.ts';
import { orderedCallsThrough } from './peers/ordered-calls.ts';
import { roomsThrough } from './peers/rooms.ts';
import { peerStatisticsThrough } from './peers/statistics.ts';
import { tasksThrough } from './peers/tasks.ts';
import { usersThrough } from './peers/users.ts';
import { createRoutes } from './routes.ts';

/** The first part of the names of its collections and consumers. */
const SERVICE = 'moderation';

/** How often sweeps remove old entries and hide reports of removed rooms, in milliseconds. */
const SWEEP_INTERVAL_MS = 10 * 60_000;

/** How many verifications of the audit log one caller may have waiting: those end within the deadline of a request. */
const MAX_WAITING_VERIFICATIONS = 4;

/** The dependencies of the service. */
export interface ModerationServiceOptions extends ServiceEngines {
  readonly config: Config;
  /** Whether it sends the messages of webhooks; an import does not. */
  readonly sendsWebhooks: boolean;
  /** The reports of the server's processes. */
  readonly processes: Processes;
  /** The transport to the user service. */
  readonly user: Transport;
  /** The transport to the room service. */
  readonly room: Transport;
  /** The transport to the media service. */
  readonly media: Transport;
  /**
   * The transport at which calls enter the server, for a process that has all services; undefined until it is there. Otherwise calls enter each
   * service through the transport to it.
   */
  readonly entrance?: () => Transport | undefined;
}

/** The running service. */
export interface ModerationService extends Omit<ServiceShell<Deps>, 'deps'> {
  readonly routes: readonly Route[];
}

/**
 * Starts the moderation service: reports of users, server notices, the audit log, and the views of
 * the tasks and quotas of all services.
 */
export async function startModerationService(options: ModerationServiceOptions): Promise<ModerationService> {
  const { config, store, bus, clock, random, user, room, media, report, meters } = options;
  const { enabled, localpart, ...notices } = config.notices;
  const peers = new Map(Object.entries({ user, room, media }));
  const draining = new AbortController();
  // Each stream adds a listener.
  setMaxListeners(0, draining.signal);
  const { deps, ...shell } = await startService<Deps>({
    name: SERVICE,
    store,
    bus,
    clock,
    random,
    report,
    meters,
    deps: async ({ openTasks }) => {
      const {
        signing_key_file: signingKey,
        former_public_key_files: formerKeys,
        signing_record_file: recordFile,
      } = config.audit;
      const signingKeys = readSigningKeys(signingKey, formerKeys);
      const opened = await openCollections(store, collections);
      const { capabilities } = store;
      const flushPositions = createFlush({ ...opened, capabilities });
      const feed = { ...opened, clock, random, capabilities, flushPositions };
      const feedTail = createFeedTail(feed, report);
      const feedAppender = createFeedAppender(feed, report, () => bus.notify(FEED_TOPIC));
      bus.onNotification(FEED_TOPIC, feedTail.notify);
      const chain = {
        ...opened,
        serverName: config.server.name,
        clock,
        random,
        checkpointEntries: config.audit.checkpoint_entries,
        signingKeys,
        signingRecord: recordFile === undefined ? NO_RECORD : signingRecordIn(recordFile),
        sealing: async (entries: readonly AuditEntry[]) =>
          appendEvents(
            { feedAppender },
            entries.flatMap((entry) => eventOfSealed(entry) ?? []),
          ),
      };
      meterFeed(feed, meters, bus.openPublicStream !== undefined);
      meterReports(opened, meters);
      meterCases({ ...opened, clock }, meters);
      meterChain(chain, meters);
      const users = usersThrough(user);
      const authority = authorityThrough(user);
      const ownTasks = await openTasks(tasks);
      const addressRules = parseAddressRules(config.webhooks.allowed_addresses);
      const webhooks = {
        ...feed,
        report,
        feedAppender,
        feedTail,
        addressRules,
        sender: createSender({
          rules: addressRules,
          timeoutMs: config.webhooks.timeout_ms,
          release: RELEASE,
          clock,
        }),
        maxWebhooks: config.webhooks.max_webhooks,
        deliveryRetentionMs: config.webhooks.delivery_retention_ms,
        webhookAttempts: meters.counter('steward_webhook_attempts_total'),
        wakeWebhooks: () => bus.notify(WEBHOOK_TOPIC),
      };
      meterWebhooks(webhooks, meters);
      // The lease that a sole writer finds was left by a crash.
      if (capabilities.soleWriter) await breakLease(webhooks.webhookLeases);
      const webhookSender = options.sendsWebhooks ? startWebhookSender(webhooks) : undefined;
      if (webhookSender) bus.onNotification(WEBHOOK_TOPIC, webhookSender.notify);
      const publicStream = bus.openPublicStream?.({ retentionMs: config.feed.retention_ms });
      return {
        ...chain,
        ...webhooks,
        authority,
        fingerprint: await openFingerprints(store, random),
        ownTasks,
        filer: createFiler({ ...feed, feedAppender, ownTasks, report }),
        evidenceRetentionMs: config.reports.evidence_retention_ms,
        reporterNotice: config.reports.reporter_notice,
        notifiesReporters: config.reports.notify_reporters,
        forbidsOwnCases: config.reports.forbid_own_cases,
        ...(webhookSender ? { webhookSender } : {}),
        chainAppender: createChainAppender(chain, report),
        outcomeWaits: new OutcomeWaits(),
        credentialWatch: createCredentialWatch(users.lookUpAgain),
        draining: draining.signal,
        ...(publicStream
          ? { feedPublisher: startFeedPublisher({ ...feed, feedTail }, publicStream, report) }
          : {}),
        feedRetentionMs: config.feed.retention_ms,
        verifySlots: new FairSlots({ slots: 1, maxWaitingPerKey: MAX_WAITING_VERIFICATIONS }),
        notices: {
          enabled,
          sender: formatUserId(localpart, config.server.name),
          localpart,
          displayName: notices.display_name,
          avatarUrl: notices.avatar_url,
          roomName: notices.room_name,
          roomAvatarUrl: notices.room_avatar_url,
          roomTopic: notices.room_topic,
          autoJoin: notices.auto_join,
        },
        auditRetentionMs: config.audit.retention_ms,
        users,
        rooms: roomsThrough(room),
        actions: actionsThrough({ user, room, media }),
        orderedCalls: orderedCallsThrough(options.entrance ?? ((service) => peers.get(service))),
        tasks: tasksThrough([user, room, media, createLocalTransport([taskRoute(ownTasks)])]),
        deadLetters: bus.deadLetters,
        server: describeServer(config, { store, bus, processes: options.processes }),
        media: mediaUsageThrough(media),
        activity: activityThrough({ user, room, media }),
        peerStatistics: peerStatisticsThrough({ user, room, media }),
        counts: createCounts({
          ...{ ...opened, clock, random },
          retentionMs: config.statistics.retention_ms,
          onFault: (error) => report('counts were not stored', { error }),
        }),
        statisticsRetentionMs: config.statistics.retention_ms,
        limits: await openLimits({ service: SERVICE, config, clock, random, bus, meters }),
        quotas: createQuotas(config, meters),
      };
    },
    consumers,
    taskKinds: (own) => [replayTask(own), notifyTask(own), resolveTask(own), bulkTask(own)],
    whenIdle: async ({ chainAppender, filer }) => {
      await filer.run();
      await chainAppender.run();
    },
    drain: () => draining.abort(),
    close: ({
      chainAppender,
      counts,
      credentialWatch,
      feedAppender,
      feedPublisher,
      feedTail,
      filer,
      limits,
      sender,
      webhookSender,
    }) => [
      () => counts.close(),
      () => filer.close(),
      () => webhookSender?.close(),
      () => sender.close(),
      () => feedPublisher?.close(),
      () => feedAppender.close(),
      () => chainAppender.close(),
      () => feedTail.close(),
      () => credentialWatch.close(),
      () => limits.close(),
    ],
    sweepIntervalMs: SWEEP_INTERVAL_MS,
    sweeps: (own) => [
      // Appended in the background: after an upgrade there may be very many, for which other sweeps must not wait.
      { run: async () => own.chainAppender.notify(), failure: 'the hash chain was not continued' },
      // In the background: after an upgrade or an import there may be very many.
      { run: async () => own.filer.notify(), failure: 'reports were not filed in the inbox' },
      { run: () => sweepEvidence(own), failure: 'old copies of what was reported were not removed' },
      { run: () => sweepReports(own), failure: 'the events of reports were not added to the feed' },
      { run: () => sweepAuditLog(own), failure: 'old entries of the audit log were not removed' },
      { run: () => sweepFeed(own), failure: 'old events of the feed were not removed' },
      { run: () => sweepWebhooks(own), failure: 'old deliveries of webhooks were not removed' },
      { run: () => hideReportsOfGoneRooms(own), failure: 'reports of rooms that are gone were not hidden' },
      { run: () => sampleFigures(own), failure: 'the figures of the hour were not kept', untilIdle: true },
      { run: () => removeOldSamples(own), failure: 'old figures were not removed' },
      { run: () => own.counts.removeOld(), failure: 'old counts were not removed' },
    ],
  });
  return { ...shell, routes: createRoutes(deps) };
}
