import type { ListPushTargetsRequest } from '@steward/proto/steward/user/v1/push_targets_pb.ts';
import type { Filter } from '@steward/store';
import type { Deps } from '../../core/deps.ts';
import { sparedDeviceOf } from '../../core/devices/remove-devices.ts';
import type { Account } from '../../core/model/account.ts';
import type { Pusher } from '../../core/model/pusher.ts';

/** The number of pushers on a page. */
const PAGE = 500;

type TargetDeps = Pick<Deps, 'accounts' | 'pushers' | 'tokens'>;

/**
 * Returns a page of the pushers to which notifications are sent. A locked account gets none, and neither does one whose session
 * has ended, also where a crash has left its pusher.
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
  const targets = [];
  for (const pusher of page) {
    const account = accounts.get(pusher.user_id);
    if (!account || pusher.kind !== 'http' || !(await receivesPushes(deps, account, pusher))) continue;
    const { _id: id, user_id: userId, app_id: appId, pushkey, profile_tag: profileTag, data } = pusher;
    targets.push({ id, userId, appId, pushkey, setTs: BigInt(pusher.set_ts ?? 0), profileTag, data });
  }
  return { targets, next: page.length < PAGE ? '' : (page.at(-1)?._id ?? '') };
}

async function receivesPushes(deps: TargetDeps, account: Account, pusher: Pusher): Promise<boolean> {
  if (account.deactivated || account.locked) return false;
  return pusher.epoch >= account.sessions.epoch || pusher.device_id === (await sparedDeviceOf(deps, account));
}
