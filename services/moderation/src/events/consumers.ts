import { auditRecorded, eventOccurred, mediaUploadMatched, roomPurged } from '@steward/events';
import { type Consumer, consumer } from '@steward/service';
import type { Deps } from '../core/deps.ts';
import { onAuditRecorded } from './on-audit-recorded.ts';
import { onEventOccurred } from './on-event-occurred.ts';
import { onRoomPurged } from './on-room-purged.ts';
import { onUploadMatched } from './on-upload-matched.ts';

/** How many facts are recorded concurrently: events that wait for a commit of the feed share it. */
const RECORDED_TOGETHER = 128;

/** The consumers of facts of the service. */
export function consumers(deps: Deps, closing: AbortSignal): readonly Consumer[] {
  closing.addEventListener('abort', () => deps.feedAppender.close());
  return [
    // One consumer for entries of the audit log and events of the feed: they have one order, and what an entry says was
    // done has an event.
    consumer('audit', {
      facts: [auditRecorded, eventOccurred],
      startsInOrder: true,
      concurrency: RECORDED_TOGETHER,
      handler: async (received) => {
        if (received.type === 'audit.recorded') {
          await onAuditRecorded(deps, received.fact, received.timeMs);
          deps.outcomeWaits.recorded(received.fact.entryId);
          deps.chainAppender.notify();
        } else await onEventOccurred(deps, received.fact);
      },
    }),
    consumer('media', {
      facts: [mediaUploadMatched],
      handler: ({ fact }) => onUploadMatched(deps, fact),
    }),
    consumer('rooms', { facts: [roomPurged], handler: ({ fact }) => onRoomPurged(deps, fact) }),
  ];
}
