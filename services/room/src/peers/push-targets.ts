import { createClient, type Transport } from '@connectrpc/connect';
import { isObject, type JsonObject, own } from '@steward/kernel';
import {
  PushTargetService,
  type PushTarget as StoredTarget,
} from '@steward/proto/steward/user/v1/push_targets_pb.ts';
import { callPeer } from '@steward/rpc';

/** The most users whose pushers are asked for with one call. */
const MAX_USERS = 500;

/** A pusher of kind `http`. */
export interface PushTarget {
  readonly id: string;
  readonly userId: string;
  readonly appId: string;
  readonly pushkey: string;
  /** When it was set, in milliseconds since the Unix epoch; 0 when an earlier release stored it. */
  readonly setTs: number;
  /** May be empty. */
  readonly profileTag: string;
  readonly url: string;
  /** Whether the gateway gets no more of an event than its id. */
  readonly idsOnly: boolean;
  /** What the client has stored for the gateway, without the URL. */
  readonly data: JsonObject;
  /** Whether nothing is sent to it, because the account is locked. */
  readonly paused: boolean;
}

/** The part of the user service that pushes need. */
export interface PushTargets {
  /** The pushers of some users; of all unless given. */
  list(userIds?: readonly string[]): Promise<readonly PushTarget[]>;
  /** Removes a pusher whose push key was rejected, unless it was set again after a time. */
  remove(target: PushTarget, pushkeys: readonly string[], before: number): Promise<void>;
}

/** Calls the user service over a transport. While it is unreachable, calls fail as unavailable. */
export function pushTargetsThrough(transport: Transport): PushTargets {
  const client = createClient(PushTargetService, transport);
  const listOf = async (userIds: readonly string[]) => {
    const targets: PushTarget[] = [];
    for (let after = ''; ; ) {
      const request = { userIds: [...userIds], after };
      const page = await callPeer(() => client.listPushTargets(request));
      targets.push(...page.targets.map(readTarget));
      if (page.next === '') return targets;
      after = page.next;
    }
  };
  return {
    async list(userIds) {
      if (!userIds) return listOf([]);
      const targets: PushTarget[] = [];
      for (let start = 0; start < userIds.length; start += MAX_USERS)
        targets.push(...(await listOf(userIds.slice(start, start + MAX_USERS))));
      return targets;
    },
    async remove({ userId, appId }, pushkeys, before) {
      const request = { userId, appId, pushkeys: [...pushkeys], before: BigInt(before) };
      await callPeer(() => client.removePushers(request));
    },
  };
}

function readTarget({ data: text, setTs, ...target }: StoredTarget): PushTarget {
  const parsed: unknown = JSON.parse(text);
  const { url, ...data } = isObject(parsed) ? parsed : {};
  return {
    id: target.id,
    userId: target.userId,
    appId: target.appId,
    pushkey: target.pushkey,
    profileTag: target.profileTag,
    setTs: Number(setTs),
    url: typeof url === 'string' ? url : '',
    idsOnly: own(data, 'format') === 'event_id_only',
    data,
    paused: target.paused,
  };
}
