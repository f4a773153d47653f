import { auditChains } from './model/audit-chain.ts';
import { auditCheckpoints } from './model/audit-checkpoint.ts';
import { auditLog } from './model/audit-entry.ts';
import { counters } from './model/counter.ts';
import { noticeRooms } from './model/notice-room.ts';
import { eventReports, reportedRooms, roomReports, userReports } from './model/report.ts';

/** The collections of the service, as its dependencies hold them. */
export const collections = {
  auditChains,
  auditCheckpoints,
  auditLog,
  counters,
  eventReports,
  noticeRooms,
  reportedRooms,
  roomReports,
  userReports,
};
