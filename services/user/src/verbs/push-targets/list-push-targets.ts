import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  ListPushTargetsRequest,
  PushTargetSchema,
} from '@steward/proto/steward/user/v1/push_targets_pb.ts';
import type { Filter } from '@steward/store';
import type { Deps } from '../../core/deps.ts';
import { sparedDeviceOf } from '../../core/devices/remove-devices.ts';
import type { Account } from '../../core/model/account.ts';
import type { Pusher } from '../../core/model/pusher.ts';

/** The number of pushers on a page. */
const PAGE = 500;

type TargetDeps = Pick<Deps, 'accounts' | 'pushers' | 'tokens'>;

/**
 * Returns a page of the pushers to which notifications are sent: without those whose session has ended, also where a crash has
 * left them.
 */
export async function listPushTargets(
  deps: TargetDeps,
  { userIds, after }: Pick<ListPushTargetsRequest, 'userIds' | 'after'>,
) {
  const filter: Filter<Pusher> = {
    ...(userIds.length > 0 ? { user_id: { $in: userIds } } : {}),
    ...(after === '' ? {} : { _id: { $gt: after } }),
  };
  const page = await deps.pushers.find(filter, { sort: { _id: 1 }, limit: PAGE }).toArray();
  const owners = [...new Set(page.map(({ user_id }) => user_id))];
  const accounts = new Map<string, Account>();
  for await (const account of deps.accounts.find({ _id: { $in: owners } }))
    accounts.set(account._id, account);
  const targets: MessageInitShape<typeof PushTargetSchema>[] = [];
  for (const pusher of page) {
    const account = accounts.get(pusher.user_id);
    if (!account || pusher.kind !== 'http' || (await hasEnded(deps, account, pusher))) continue;
    targets.push({
      id: pusher._id,
      userId: pusher.user_id,
      appId: pusher.app_id,
      pushkey: pusher.pushkey,
      setTs: BigInt(pusher.set_ts ?? 0),
      profileTag: pusher.profile_tag,
      data: pusher.data,
      paused: account.locked,
    });
  }
  return { targets, next: page.length < PAGE ? '' : (page.at(-1)?._id ?? '') };
}

async function hasEnded(deps: TargetDeps, account: Account, pusher: Pusher): Promise<boolean> {
  if (account.deactivated) return true;
  if (pusher.epoch >= account.sessions.epoch) return false;
  return pusher.device_id !== (await sparedDeviceOf(deps, account));
}
