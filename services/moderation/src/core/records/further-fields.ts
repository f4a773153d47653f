import { flag, furtherFields, id, nullable } from '@steward/records';
import type { EventReport } from '../model/report.ts';
import { ofReport } from './report-kinds.ts';

/** What records of event reports have in fields of the message. */
type OfEventReport = 'received_ts' | 'room_id' | 'event_id' | 'user_id' | 'reason' | 'score';

/** The fields of event reports that no message has. */
export const furtherOfReport = furtherFields<EventReport, OfEventReport>({
  sender: nullable(
    id(
      'The sender of the event; null if it is not known. With this field, event and room may be gone, and the fields below count.',
    ),
  ),
  room_gone: flag('Whether the room is known to be removed.'),
  ...ofReport,
});
