import { auditRecorded, roomPurged } from '@steward/events';
import { type Consumer, consumer } from '@steward/service';
import type { Deps } from '../core/deps.ts';
import { onAuditRecorded } from './on-audit-recorded.ts';
import { onRoomPurged } from './on-room-purged.ts';

/** The consumers of facts of the service. */
export function consumers(deps: Deps): readonly Consumer[] {
  return [
    consumer('audit', {
      facts: [auditRecorded],
      handler: async ({ fact, timeMs }) => {
        await onAuditRecorded(deps, fact, timeMs);
        deps.chainAppender.wake();
      },
    }),
    consumer('rooms', { facts: [roomPurged], handler: ({ fact }) => onRoomPurged(deps, fact) }),
  ];
}
