import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import { PUSHERS_TOPIC } from '@steward/events';
import type { SetPusherRequest } from '@steward/proto/steward/user/v1/pushers_pb.ts';
import { requester } from '@steward/rpc';
import type { Deps } from '../../core/deps.ts';
import { type Pusher, pusherId } from '../../core/model/pusher.ts';
import { addWithinQuota } from '../../core/quotas/add-within-quota.ts';
import { activeSession } from '../../core/sessions/active-session.ts';

/** The longest pushkey, in bytes. */
const MAX_PUSHKEY_BYTES = 512;

/** The longest data of a pusher, in bytes of their JSON. */
const MAX_DATA_BYTES = 64 * 1024;

/** The path at which a push gateway receives notifications. */
const NOTIFY_PATH = '/_matrix/push/v1/notify';

/**
 * Sets a pusher of the caller, or removes it (client-plane.md 7.6). Pushers of other users with the same
 * application and key are removed first, because the device has changed hands, unless the request appends.
 */
export async function setPusher(deps: Deps, request: SetPusherRequest, context: HandlerContext) {
  const caller = requester(context);
  const { userId } = caller;
  const { appId, pushkey } = request;
  if (Buffer.byteLength(pushkey) > MAX_PUSHKEY_BYTES) {
    throw refuse.invalidParam(`'pushkey' must have at most ${MAX_PUSHKEY_BYTES} bytes`);
  }
  const _id = pusherId(userId, appId, pushkey);
  if (request.kind === undefined) {
    await deps.pushers.deleteOne({ _id });
    deps.bus.notify(PUSHERS_TOPIC);
    return {};
  }
  const settings = readSettings(request.kind, request);
  const { token, account } = await activeSession(deps, caller);
  if (!token?.device_id) throw refuse.unknown('Only sessions with a device have pushers');
  const owner = { device_id: token.device_id, login: token.login ?? 0, epoch: token.epoch };
  await addWithinQuota(deps, account, {
    kind: 'pushers',
    exists: async () => (await deps.pushers.findOne({ _id }, { projection: { _id: 1 } })) !== null,
    count: () => deps.pushers.countDocuments({ user_id: userId }),
    add: async () => {
      if (!request.append) {
        await deps.pushers.deleteMany({ app_id: appId, pushkey, user_id: { $ne: userId } });
      }
      const { upsertedCount } = await deps.pushers.updateOne(
        { _id },
        {
          $set: { ...settings, ...owner, set_ts: deps.clock.now() },
          $setOnInsert: { user_id: userId, app_id: appId, pushkey },
        },
        { upsert: true },
      );
      return upsertedCount > 0;
    },
    takeBack: () => deps.pushers.deleteOne({ _id, ...owner }),
  });
  try {
    await activeSession(deps, caller);
  } catch (error) {
    // A concurrent end of the session may have removed its pushers before this one was written.
    await deps.pushers.deleteOne({ _id, ...owner });
    throw error;
  }
  deps.bus.notify(PUSHERS_TOPIC);
  return {};
}

type Settings = Pick<
  Pusher,
  'kind' | 'app_display_name' | 'device_display_name' | 'profile_tag' | 'lang' | 'data'
>;

function readSettings(kind: string, request: SetPusherRequest): Settings {
  const { appDisplayName, deviceDisplayName, lang, data } = request;
  if (appDisplayName === undefined) throw missing('app_display_name');
  if (deviceDisplayName === undefined) throw missing('device_display_name');
  if (lang === undefined) throw missing('lang');
  if (data === undefined) throw missing('data');
  const parsed: unknown = JSON.parse(data);
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
    throw refuse.badJson("'data' must be an object");
  }
  if (Buffer.byteLength(data) > MAX_DATA_BYTES) throw refuse.tooLarge("'data' is too large");
  if (kind === 'http' && !isNotifyUrl((parsed as { readonly url?: unknown }).url)) {
    throw refuse.missingParam(`'data.url' must be an HTTP URL with the path ${NOTIFY_PATH}`);
  }
  return {
    kind,
    app_display_name: appDisplayName,
    device_display_name: deviceDisplayName,
    profile_tag: request.profileTag,
    lang,
    data,
  };
}

function isNotifyUrl(url: unknown): boolean {
  if (typeof url !== 'string') return false;
  const parsed = URL.parse(url);
  return /^https?:$/.test(parsed?.protocol ?? '') && parsed?.pathname === NOTIFY_PATH;
}

function missing(key: string): Error {
  return refuse.missingParam(`'${key}' is missing`);
}
