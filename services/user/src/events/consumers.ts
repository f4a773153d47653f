import { roomPurged, userDeactivated } from '@steward/events';
import { type Consumer, consumer } from '@steward/service';
import type { Deps } from '../core/deps.ts';
import { onRoomPurged } from './on-room-purged.ts';
import { onUserDeactivated } from './on-user-deactivated.ts';

/** The consumers of facts in this service. */
export function consumers(deps: Deps): readonly Consumer[] {
  return [
    consumer('sessions', {
      facts: [userDeactivated],
      handler: ({ fact }) => onUserDeactivated(deps, fact),
    }),
    consumer('rooms', { facts: [roomPurged], handler: ({ fact }) => onRoomPurged(deps, fact) }),
  ];
}
