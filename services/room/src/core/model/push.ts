import { declareLease } from '@steward/service';
import { type Doc, declareCollection, firstOfList } from '@steward/store';
import type { FailureReason } from '@steward/webhooks';

/** Up to where the events of a room were looked through for those that are pushed. */
export interface PushPosition extends Doc {
  /** The room id. */
  readonly _id: string;
  readonly arrival: number;
}

/** The events of a room that wait for a pusher. It exists while one may be waiting. */
export interface PushQueue extends Doc {
  /** See `pushQueueId`. */
  readonly _id: string;
  readonly user_id: string;
  readonly room_id: string;
  /** The id of the pusher. */
  readonly pusher: string;
  /** The arrival up to which everything was pushed. */
  readonly after: number;
  /** The arrival of the last event that was found to be pushed. */
  readonly seen: number;
}

/** How pushes to a pusher go. */
export interface PushState extends Doc {
  /** The id of the pusher. */
  readonly _id: string;
  readonly user_id: string;
  /** It gets events that were received from then on, in milliseconds since the Unix epoch. */
  readonly from_ts: number;
  /** The number of unread messages that it was told last. */
  readonly badge: number;
  /** How many attempts have failed since the last one that succeeded, and when the next is due, in milliseconds since the Unix epoch. */
  readonly failures: number;
  readonly due: number;
  /** Milliseconds since the Unix epoch; null for never. */
  readonly last_success_ts: number | null;
  readonly last_failure_ts: number | null;
  readonly last_failure: PushFailure | null;
  /** When the first of the failures was, in milliseconds since the Unix epoch; null without failures. */
  readonly failing_since_ts: number | null;
}

/** How a push failed: the status of the answer, or why there is none. */
export interface PushFailure {
  readonly status: number | null;
  readonly failure: FailureReason | null;
  /** One line for people. */
  readonly detail: string | null;
}

/** The application and the push key of a pusher. */
export function pushTargetOf(pusher: string): { readonly appId: string; readonly pushkey: string } {
  const [, appId = '', pushkey = ''] = JSON.parse(pusher) as readonly string[];
  return { appId, pushkey };
}

/** The key of a queue. The id of a pusher is the list of its user, application and push key. */
export function pushQueueId(pusher: string, roomId: string): string {
  return JSON.stringify([...(JSON.parse(pusher) as readonly string[]), roomId]);
}

/** Positions, by room. */
export const pushPositions = declareCollection<PushPosition>({
  name: 'room.push_positions',
  shardKey: '_id',
  indexes: [],
});

/** Queues, by user. */
export const pushQueues = declareCollection<PushQueue>({
  name: 'room.push_queues',
  shardKey: 'user_id',
  shardKeyOfId: firstOfList,
  indexes: [
    {
      name: 'by_pusher',
      keys: [
        ['user_id', 1],
        ['pusher', 1],
      ],
    },
    { name: 'by_room', keys: [['room_id', 1]] },
  ],
});

/** States of pushers, by user. */
export const pushStates = declareCollection<PushState>({
  name: 'room.push_states',
  shardKey: 'user_id',
  shardKeyOfId: firstOfList,
  indexes: [{ name: 'by_user', keys: [['user_id', 1]] }],
});

/** The lease of the process that sends pushes. */
export const pushLeases = declareLease('room.push_leases');
