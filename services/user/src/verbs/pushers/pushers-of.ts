import type { MessageInitShape } from '@bufbuild/protobuf';
import type { PusherSchema } from '@steward/proto/steward/user/v1/pushers_pb.ts';
import type { Deps } from '../../core/deps.ts';
import type { Pusher } from '../../core/model/pusher.ts';

export async function pushersOf(
  deps: Deps,
  userId: string,
): Promise<MessageInitShape<typeof PusherSchema>[]> {
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
