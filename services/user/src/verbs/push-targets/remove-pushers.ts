import { PUSHERS_TOPIC } from '@steward/events';
import type { RemovePushersRequest } from '@steward/proto/steward/user/v1/push_targets_pb.ts';
import type { Deps } from '../../core/deps.ts';
import { pusherId } from '../../core/model/pusher.ts';

/** Removes pushers whose push keys a gateway has rejected, unless they were set again since. */
export async function removePushers(
  deps: Pick<Deps, 'bus' | 'pushers'>,
  { userId, appId, pushkeys, before }: Pick<RemovePushersRequest, 'userId' | 'appId' | 'pushkeys' | 'before'>,
) {
  const ids = pushkeys.map((pushkey) => pusherId(userId, appId, pushkey));
  await deps.pushers.deleteMany({
    _id: { $in: ids },
    user_id: userId,
    $nor: [{ set_ts: { $gt: Number(before) } }],
  });
  deps.bus.notify(PUSHERS_TOPIC);
  return {};
}
