import type { Transport } from '@connectrpc/connect';
import { auditRecorded } from '@steward/audit';
import type { Config } from '@steward/config';
import type { Bus, Report } from '@steward/events';
import { type Clock, formatUserId, type Random, repeat } from '@steward/kernel';
import { createLimits } from '@steward/limits';
import type { Route } from '@steward/rpc';
import type { Store } from '@steward/store';
import {
  auditLog,
  counters,
  eventReports,
  noticeRooms,
  reportedRooms,
  roomReports,
  userReports,
} from './core/collections.ts';
import type { Deps } from './core/deps.ts';
import { hideReportsOfGoneRooms } from './core/reported-rooms.ts';
import { sweepAuditLog } from './core/sweep-audit-log.ts';
import { roomPurged } from './events/facts.ts';
import { onAuditRecorded } from './events/on-audit-recorded.ts';
import { onRoomPurged } from './events/on-room-purged.ts';
import { roomsThrough } from './peers/rooms.ts';
import { tasksThrough } from './peers/tasks.ts';
import { usersThrough } from './peers/users.ts';
import { createRoutes } from './routes.ts';

/** The name under which the service keeps its consumers. */
const SERVICE = 'moderation';

/** How often it is looked for what is too old, or of rooms that are gone. */
const SWEEP_INTERVAL_MS = 10 * 60_000;

/** What the service stands on. */
export interface ModerationServiceOptions {
  readonly config: Config;
  readonly store: Store;
  readonly bus: Pick<Bus, 'subscribe' | 'deadLetters'>;
  readonly clock: Clock;
  readonly random: Random;
  /** The way to the user service. */
  readonly user: Transport;
  /** The ways to the services that have tasks. */
  readonly room: Transport;
  readonly media: Transport;
  /** Told of work that failed in the background; it will be tried again. */
  readonly report: Report;
}

/** The running service. */
export interface ModerationService {
  readonly routes: readonly Route[];
  close(): Promise<void>;
}

/**
 * Starts the moderation service: what users report to the administrators, what these tell users and have done, and
 * what they see of the work of all services.
 */
export async function startModerationService({
  config,
  store,
  bus,
  clock,
  random,
  user,
  room,
  media,
  report,
}: ModerationServiceOptions): Promise<ModerationService> {
  const { enabled, localpart, display_name, avatar_url, room_name } = config.notices;
  const deps: Deps = {
    serverName: config.server.name,
    notices: {
      enabled,
      sender: formatUserId(localpart, config.server.name),
      localpart,
      displayName: display_name,
      avatarUrl: avatar_url,
      roomName: room_name,
    },
    clock,
    random,
    counters: await store.collection(counters),
    eventReports: await store.collection(eventReports),
    userReports: await store.collection(userReports),
    roomReports: await store.collection(roomReports),
    reportedRooms: await store.collection(reportedRooms),
    noticeRooms: await store.collection(noticeRooms),
    auditLog: await store.collection(auditLog),
    auditRetentionMs: config.audit.retention_ms,
    users: usersThrough(user),
    rooms: roomsThrough(room),
    tasks: tasksThrough([room, media]),
    deadLetters: bus.deadLetters,
    limits: createLimits(config.rate_limits, clock),
  };
  const subscription = await bus.subscribe({
    durable: `${SERVICE}-audit`,
    facts: [auditRecorded],
    handler: ({ fact, timeMs }) => onAuditRecorded(deps, fact, timeMs),
  });
  const ofRooms = await bus.subscribe({
    durable: `${SERVICE}-rooms`,
    facts: [roomPurged],
    handler: ({ fact }) => onRoomPurged(deps, fact),
  });
  const hide = () =>
    hideReportsOfGoneRooms(deps).catch((error) =>
      report('reports of rooms that are gone were not hidden', { error }),
    );
  const sweeps = repeat(() => sweepAuditLog(deps).finally(hide), {
    intervalMs: SWEEP_INTERVAL_MS,
    onFault: (error) => report('old entries of the audit log were not removed', { error }),
  });

  return {
    routes: createRoutes(deps),
    async close() {
      await sweeps.close();
      await subscription.close();
      await ofRooms.close();
    },
  };
}
