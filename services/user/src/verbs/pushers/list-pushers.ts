import type { MessageInitShape } from '@bufbuild/protobuf';
import type { HandlerContext } from '@connectrpc/connect';
import type { ListPushersRequest, PusherSchema } from '@steward/proto/steward/user/v1/pushers_pb.ts';
import { requester } from '@steward/rpc';
import { existingAccount } from '../../core/accounts/local-user.ts';
import type { Deps } from '../../core/deps.ts';
import type { Pusher } from '../../core/model/pusher.ts';

/** The pushers of an account, for administrators (behaviour.md 3.1). */
export async function listPushers(deps: Deps, request: ListPushersRequest) {
  await existingAccount(deps, request.userId);
  const pushers = await pushersOf(deps, request.userId);
  return { pushers, total: BigInt(pushers.length) };
}

/** The pushers of the caller (client-plane.md 7.6). */
export async function listOwnPushers(deps: Deps, context: HandlerContext) {
  return { pushers: await pushersOf(deps, requester(context).userId) };
}

async function pushersOf(deps: Deps, userId: string): Promise<MessageInitShape<typeof PusherSchema>[]> {
  const pushers = await deps.pushers.find({ user_id: userId }, { sort: { _id: 1 } }).toArray();
  return pushers.map(toPusher);
}

function toPusher(pusher: Pusher): MessageInitShape<typeof PusherSchema> {
  return {
    appDisplayName: pusher.app_display_name,
    appId: pusher.app_id,
    data: pusher.data,
    deviceDisplayName: pusher.device_display_name,
    profileTag: pusher.profile_tag,
    kind: pusher.kind,
    lang: pusher.lang,
    pushkey: pusher.pushkey,
  };
}
