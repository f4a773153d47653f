import { FairSlots } from '@steward/limits';
import { forEachBatch, NOT_FLUSHED } from '@steward/store';
import { LRUCache } from 'lru-cache';
import type { PushTarget } from '../../peers/push-targets.ts';
import { loadRoom } from '../aggregate/load-room.ts';
import { type MemberDocument, memberId } from '../model/member.ts';
import type { PushState } from '../model/push.ts';
import { eventPages } from '../reading/event-pages.ts';
import { receiptPositions } from '../receipts/read-receipts.ts';
import { Badges } from './badges.ts';
import { Followed } from './followed-users.ts';
import { MAX_AGE_MS, MAX_WAITING, type PushDeps } from './push-deps.ts';
import { createPusherRunner, type PusherRunner } from './pusher-runner.ts';
import { type Listener, queuePushes, waitingFor } from './queue-pushes.ts';

/** Events that are looked through together. */
const PAGE = 250;

/** How many rooms are looked through concurrently. */
const MAX_CONCURRENT_ROOMS = 8;

/** How many memberships of rooms are remembered. */
const MAX_MEMBERS = 100_000;

/** Documents that are read or written together. */
const BATCH = 200;

/** The work of this process on all pushers, while it has the lease. */
export interface PushWork {
  /** Takes over all pushers: begins with new ones, and ends with those that are gone. */
  setAll(targets: readonly PushTarget[]): Promise<void>;
  /** Compares all rooms with how far they were looked through, should notifications have been lost. */
  catchUp(): Promise<void>;
  /** Looks again for what failed and for changed accounts, continues what is due, and stores how far rooms were looked through. */
  round(): Promise<void>;
  /** How much waits, for the metrics. */
  backlog(): { readonly queues: number; readonly since: number | undefined };
  /** Ends the running attempts, which then do not count. */
  stop(): Promise<void>;
}

/**
 * Starts the work on pushers. How far a room was looked through is stored some seconds late: after a crash, some events are
 * looked at again.
 */
export function startPushWork(deps: PushDeps, holdsLease: () => boolean): PushWork {
  const badges = new Badges(deps);
  const slots = new FairSlots({ slots: MAX_CONCURRENT_ROOMS });
  const members = new LRUCache<string, readonly MemberDocument[]>({
    maxSize: MAX_MEMBERS,
    sizeCalculation: (list) => 1 + list.length,
  });
  /** The rooms that are being looked through, and whether they are to be again. */
  const running = new Map<string, boolean>();
  const failed = new Set<string>();
  const moved = new Set<string>();
  const changedAccounts = new Set<string>();
  let isStopped = false;
  /** Whether all pushers that were known before are followed: a room is looked through for all of them at once. */
  let isOpen = false;

  const followed = new Followed(deps, {
    room: (roomId) => touch(roomId),
    memberships: (userId) => void followRooms(userId),
    account: (userId) => void changedAccounts.add(userId),
    left(userId, roomId) {
      badges.roomChanged(userId, roomId);
      checkBadges(userId);
    },
    read(userId) {
      badges.hasRead(userId);
      checkBadges(userId);
    },
  });
  const checkBadges = (userId: string) => {
    for (const runner of runnersOf(userId)) runner.checkBadge();
  };
  const runnersOf = (userId: string) => [...(followed.users.get(userId)?.runners.values() ?? [])];
  const allRunners = () => [...followed.users.keys()].flatMap(runnersOf);

  const touch = (roomId: string) => {
    if (isStopped) return;
    if (!isOpen) return void failed.add(roomId);
    const isRunning = running.has(roomId);
    running.set(roomId, isRunning);
    if (isRunning) return;
    void slots
      .run('', () => lookThrough(roomId))
      .catch((error: unknown) => {
        failed.add(roomId);
        if (!isStopped) deps.report('the pushes of a room were not found yet', { error });
      })
      .finally(() => {
        const again = running.get(roomId);
        running.delete(roomId);
        if (again) touch(roomId);
      });
  };

  const lookThrough = async (roomId: string) => {
    const known = followed.rooms.get(roomId);
    if (!known || isStopped || !holdsLease()) return;
    const room = await loadRoom(deps, roomId);
    if (!room) return followed.removeRoom(roomId);
    known.position ??= (await deps.pushPositions.findOne({ _id: roomId }))?.arrival ?? 0;
    const after = Math.max(known.position, room.arrival - MAX_WAITING);
    if (after > known.position) for (const userId of known.users) badges.roomChanged(userId, roomId);
    const range = { after, until: room.arrival, size: PAGE };
    for await (const { events, upTo } of eventPages(deps, roomId, range)) {
      for (const { type, state_key: userId = '' } of events) {
        if (type !== 'm.room.member') continue;
        members.delete(roomId);
        // The notification of the membership may come later than that of the room.
        if (followed.users.has(userId)) followed.addMember(roomId, userId);
      }
      const { waiting, notified } = await queuePushes(deps, room, events, await listenersOf(roomId));
      if (isStopped) return;
      known.position = upTo;
      const isMoreOnly = events.every(
        ({ type, redacts }) => type !== 'm.room.member' && redacts === undefined,
      );
      for (const userId of known.users) {
        const arrivals = isMoreOnly ? notified.get(userId) : undefined;
        if (arrivals) badges.arrived(userId, roomId, arrivals, upTo);
        else badges.roomChanged(userId, roomId);
      }
      moved.add(roomId);
      addWaiting(roomId, waiting);
    }
  };
  const addWaiting = (roomId: string, pushers: readonly string[]) => {
    for (const pusher of pushers) runnerOf(pusher)?.add(roomId);
  };
  const runnerOf = (pusher: string): PusherRunner | undefined => {
    const [userId = ''] = JSON.parse(pusher) as readonly string[];
    return followed.users.get(userId)?.runners.get(pusher);
  };
  const listenersOf = async (roomId: string): Promise<readonly Listener[]> => {
    const users = followed.rooms.get(roomId)?.users ?? new Set();
    const remembered = members.get(roomId);
    const isUsable =
      remembered?.length === users.size && remembered.every(({ user_id }) => users.has(user_id));
    const found = isUsable ? remembered : await readMembers(roomId, [...users]);
    if (!isUsable) members.set(roomId, found);
    const oldest = deps.clock.now() - MAX_AGE_MS;
    return found.map((member): Listener => {
      const active = runnersOf(member.user_id).filter(({ target }) => !target.paused);
      const fromTs = Math.max(oldest, Math.min(...active.map((runner) => runner.fromTs)));
      return { member, pushers: active.map(({ target }) => target.id), fromTs };
    });
  };
  const readMembers = (roomId: string, users: readonly string[]) =>
    deps.members.find({ _id: { $in: users.map((userId) => memberId(roomId, userId)) } }).toArray();

  const followRooms = async (userId: string) => {
    try {
      for (const roomId of await followed.readRooms(userId)) touch(roomId);
    } catch (error) {
      changedAccounts.add(userId);
      deps.report('the rooms of a user with pushers were not read yet', { error });
    }
  };

  /** Begins with a pusher; one that was not known before gets what came since it was set. */
  const begin = async (target: PushTarget, known: PushState | undefined) => {
    const { id, userId } = target;
    const user = followed.addUser(userId);
    const state = known ?? newState(target);
    const isTakenOver = known !== undefined;
    const runner = createPusherRunner(deps, target, state, { badges, holdsLease, isTakenOver });
    // Before its rooms are read, so that it misses no event that arrives until then.
    user.runners.set(id, runner);
    if (!known) await introduce(state);
    const queues = deps.pushQueues.find({ user_id: userId, pusher: id }, { projection: { room_id: 1 } });
    for await (const { room_id } of queues) runner.add(room_id);
    runner.begin();
  };
  const newState = ({ id, userId, setTs }: PushTarget): PushState => {
    const now = deps.clock.now();
    const from_ts = setTs === 0 ? now : Math.max(setTs, now - MAX_AGE_MS);
    const never = {
      last_success_ts: null,
      last_failure_ts: null,
      last_failure: null,
      failing_since_ts: null,
    };
    return { _id: id, user_id: userId, from_ts, badge: 0, failures: 0, due: 0, ...never };
  };
  const introduce = async ({ _id: id, user_id: userId, ...fresh }: PushState) => {
    const { from_ts } = fresh;
    await followed.readRooms(userId);
    const rooms = [...(followed.users.get(userId)?.rooms ?? [])];
    for (let start = 0; start < rooms.length; start += BATCH) {
      const recent = { _id: { $in: rooms.slice(start, start + BATCH) }, last_activity_ts: { $gte: from_ts } };
      const active = await deps.rooms.find(recent, { projection: { arrival: 1 } }).toArray();
      const queues = active.map(({ _id: room_id, arrival }) =>
        waitingFor(id, { user_id: userId, room_id }, Math.max(0, arrival - MAX_WAITING), arrival),
      );
      if (queues.length > 0) await deps.pushQueues.bulkWrite(queues, NOT_FLUSHED);
    }
    await deps.pushStates.updateOne(
      { _id: id, user_id: userId },
      { $setOnInsert: fresh },
      { ...NOT_FLUSHED, upsert: true },
    );
  };
  const end = async (userId: string, id: string) => {
    const user = followed.users.get(userId);
    await user?.runners.get(id)?.stop();
    user?.runners.delete(id);
    if (user?.runners.size === 0) followed.removeUser(userId);
    await deps.pushQueues.deleteMany({ user_id: userId, pusher: id }, NOT_FLUSHED);
    await deps.pushStates.deleteOne({ _id: id, user_id: userId }, NOT_FLUSHED);
  };
  /** Takes over the pushers of some users. */
  const take = async (targets: readonly PushTarget[], states: ReadonlyMap<string, PushState>) => {
    for (const target of targets) {
      const runner = followed.users.get(target.userId)?.runners.get(target.id);
      if (runner) runner.update(target);
      else {
        await begin(target, states.get(target.id));
        await followRooms(target.userId);
      }
      if (isStopped) return;
    }
  };
  const statesOf = async (targets: readonly PushTarget[]) => {
    const states = new Map<string, PushState>();
    const unknown = targets.filter(({ id }) => !runnerOf(id));
    for (let start = 0; start < unknown.length; start += BATCH) {
      const ids = unknown.slice(start, start + BATCH).map(({ id }) => id);
      for await (const state of deps.pushStates.find({ _id: { $in: ids } })) states.set(state._id, state);
    }
    return states;
  };
  const endOthers = async (targets: readonly PushTarget[], userIds: readonly string[]) => {
    const left = new Set(targets.map(({ id }) => id));
    for (const userId of userIds) {
      for (const { target } of runnersOf(userId)) if (!left.has(target.id)) await end(userId, target.id);
    }
    return left;
  };

  /** Finds the receipts of rooms that were not announced. */
  const findReceipts = async (roomIds: readonly string[]) => {
    for (const [roomId, position] of await receiptPositions(deps, roomIds)) {
      const known = followed.rooms.get(roomId);
      if (!known || known.receipts === position) continue;
      known.receipts = position;
      for (const userId of known.users) {
        badges.roomChanged(userId, roomId);
        checkBadges(userId);
      }
    }
  };

  const flush = async () => {
    const roomIds = [...moved];
    moved.clear();
    for (let start = 0; start < roomIds.length; start += BATCH) {
      const batch = roomIds.slice(start, start + BATCH);
      const operations = batch.flatMap((_id) => {
        const arrival = followed.rooms.get(_id)?.position;
        if (arrival === undefined) return [];
        return [{ updateOne: { filter: { _id }, update: { $max: { arrival } }, upsert: true } } as const];
      });
      try {
        if (operations.length > 0) await deps.pushPositions.bulkWrite(operations, NOT_FLUSHED);
      } catch (error) {
        for (const roomId of roomIds.slice(start)) moved.add(roomId);
        throw error;
      }
    }
  };

  return {
    async setAll(targets) {
      const left = await endOthers(targets, [...followed.users.keys()]);
      await take(targets, await statesOf(targets));
      isOpen = true;
      // Of pushers that went while no process looked after them.
      await forEachBatch(deps.pushStates, {}, { size: BATCH }, async (states) => {
        for (const { _id, user_id } of states) if (!left.has(_id)) await end(user_id, _id);
      });
    },
    async catchUp() {
      for (const userId of [...followed.users.keys()]) await followed.readRooms(userId);
      const roomIds = [...followed.rooms.keys()];
      for (let start = 0; start < roomIds.length; start += BATCH) {
        const batch = { _id: { $in: roomIds.slice(start, start + BATCH) } };
        await findReceipts(batch._id.$in);
        const positions = new Map<string, number>();
        for await (const { _id, arrival } of deps.pushPositions.find(batch)) positions.set(_id, arrival);
        const projection = { arrival: 1, last_activity_ts: 1 } as const;
        const oldest = deps.clock.now() - MAX_AGE_MS;
        for await (const { _id, arrival, last_activity_ts } of deps.rooms.find(batch, { projection })) {
          const known = followed.rooms.get(_id);
          const position = known?.position ?? positions.get(_id) ?? 0;
          if (arrival > position && last_activity_ts >= oldest) touch(_id);
        }
      }
    },
    async round() {
      for (const roomId of failed) touch(roomId);
      failed.clear();
      const userIds = [...changedAccounts];
      changedAccounts.clear();
      try {
        if (userIds.length > 0) {
          const targets = await deps.targets.list(userIds);
          await endOthers(targets, userIds);
          await take(targets, await statesOf(targets));
          for (const userId of userIds) await followRooms(userId);
        }
      } catch (error) {
        for (const userId of userIds) changedAccounts.add(userId);
        throw error;
      }
      for (const runner of allRunners()) runner.wake();
      await flush();
    },
    backlog() {
      const runners = allRunners();
      const times = runners.flatMap(({ waitingSince }) => waitingSince ?? []);
      return {
        queues: runners.reduce((sum, { waiting }) => sum + waiting, 0),
        since: times.length > 0 ? times.reduce((a, b) => Math.min(a, b)) : undefined,
      };
    },
    async stop() {
      isStopped = true;
      const runners = allRunners();
      await Promise.all(runners.map((runner) => runner.stop()));
      await flush().catch((error: unknown) => deps.report('how far pushes are was not stored', { error }));
      followed.close();
    },
  };
}
