import { declareHourCounts } from '@steward/statistics';
import { declareTasks } from '@steward/tasks';
import { auditChains } from './model/audit-chain.ts';
import { auditCheckpoints } from './model/audit-checkpoint.ts';
import { auditLog } from './model/audit-entry.ts';
import { cases } from './model/case.ts';
import { counters } from './model/counter.ts';
import { evidence } from './model/evidence.ts';
import { feedCursors } from './model/feed-cursor.ts';
import { feedEvents } from './model/feed-event.ts';
import { feedHeads } from './model/feed-head.ts';
import { figureSamples } from './model/figure-sample.ts';
import { inbox } from './model/inbox-entry.ts';
import { noticeRooms } from './model/notice-room.ts';
import { eventReports, mediaReports, reportedRooms, roomReports, userReports } from './model/report.ts';
import { webhooks } from './model/webhook.ts';
import { webhookDeliveries } from './model/webhook-delivery.ts';
import { webhookLeases } from './model/webhook-lease.ts';

/** The collections of the tasks of the service. */
export const tasks = declareTasks('moderation');

/** The collections of the service, as its dependencies hold them. */
export const collections = {
  auditChains,
  auditCheckpoints,
  auditLog,
  cases,
  counters,
  eventReports,
  evidence,
  feedCursors,
  feedEvents,
  feedHeads,
  figureSamples,
  hourCounts: declareHourCounts('moderation'),
  inbox,
  mediaReports,
  noticeRooms,
  reportedRooms,
  roomReports,
  userReports,
  webhookDeliveries,
  webhookLeases,
  webhooks,
};
