import { declareCollection, firstOfList } from '@steward/store';

/** An address at which a client receives push notifications. It is removed with the device that set it. */
export interface Pusher {
  /** See `pusherId`. */
  _id: string;
  user_id: string;
  app_id: string;
  pushkey: string;
  /** For example `http`. */
  kind: string;
  app_display_name: string;
  device_display_name: string;
  /** May be empty. */
  profile_tag: string;
  lang: string;
  /** A JSON object. */
  data: string;
  /** The device that set it. */
  device_id: string;
  /** The number of the login on the device that set it, see `Device.logins`. */
  login: number;
  /** The session epoch of the token that set it. */
  epoch: number;
  /** When it was set last, in milliseconds since the Unix epoch; absent in one of an earlier release. */
  set_ts?: number;
}

/** The key of a pusher's document. Its parts may hold any character. */
export function pusherId(userId: string, appId: string, pushkey: string): string {
  return JSON.stringify([userId, appId, pushkey]);
}

/** Pushers, by account. */
export const pushers = declareCollection<Pusher>({
  name: 'user.pushers',
  shardKey: 'user_id',
  shardKeyOfId: firstOfList,
  indexes: [
    { name: 'by_user', keys: [['user_id', 1]] },
    {
      name: 'by_device',
      keys: [
        ['user_id', 1],
        ['device_id', 1],
      ],
    },
    {
      name: 'by_key',
      keys: [
        ['app_id', 1],
        ['pushkey', 1],
      ],
    },
  ],
});
