import type { ListPushStatesRequest } from '@steward/proto/steward/room/v1/push_states_pb.ts';
import type { Deps } from '../../core/deps.ts';
import { pushTargetOf } from '../../core/model/push.ts';

/** Lists how pushes to the pushers of a user go. */
export async function listPushStates(deps: Deps, { userId }: ListPushStatesRequest) {
  const states = await deps.pushStates.find({ user_id: userId }, { sort: { _id: 1 } }).toArray();
  const waiting = new Map<string, number>();
  const queues = deps.pushQueues.find({ user_id: userId }, { projection: { pusher: 1 } });
  for await (const { pusher } of queues) waiting.set(pusher, (waiting.get(pusher) ?? 0) + 1);
  return {
    pushStates: states.map((state) => {
      const { last_success_ts, last_failure_ts, last_failure, failing_since_ts } = state;
      return {
        ...pushTargetOf(state._id),
        waitingRooms: BigInt(waiting.get(state._id) ?? 0),
        lastSuccessTs: toTime(last_success_ts),
        lastFailureTs: toTime(last_failure_ts),
        lastFailure: last_failure
          ? {
              status: last_failure.status ?? undefined,
              failure: last_failure.failure ?? undefined,
              detail: last_failure.detail ?? undefined,
            }
          : undefined,
        failingSinceTs: toTime(failing_since_ts),
        nextAttemptTs: state.failures > 0 ? BigInt(state.due) : undefined,
      };
    }),
    total: BigInt(states.length),
  };
}

function toTime(ms: number | null | undefined): bigint | undefined {
  return typeof ms === 'number' ? BigInt(ms) : undefined;
}
