import { NOT_FLUSHED } from '@steward/store';
import { isAccepted, type Outcome, pauseAsked, pauseBefore } from '@steward/webhooks';
import type { PushTarget } from '../../peers/push-targets.ts';
import { loadRoom } from '../aggregate/load-room.ts';
import type { EventDocument } from '../model/event-document.ts';
import { type MemberDocument, memberId } from '../model/member.ts';
import { type PushFailure, type PushQueue, type PushState, pushQueueId } from '../model/push.ts';
import type { Room } from '../model/room.ts';
import type { PushEffect } from '../protocol/mod.ts';
import { Judge } from '../unread/judge.ts';
import { readUpTo, threadOf } from '../unread/unread.ts';
import type { Badges } from './badges.ts';
import { badgeOf, notificationOf, rejects } from './payload.ts';
import { MAX_AGE_MS, MAX_WAITING, type PushDeps } from './push-deps.ts';

/** Events that are read with one query. */
const PAGE = 50;

/** After so many failures the pause before the next attempt does not grow any more: it is half an hour then. */
const MAX_PAUSES = 3;

/** How old the time of the last success may be that is stored, in milliseconds: not each push needs a write of its own. */
const SUCCESS_STORED_MS = 60_000;

/** How an attempt ended: `ended` if this process has ended it, or the pusher is gone. */
type Attempted = 'sent' | 'failed' | 'ended';

/** The work of this process on one pusher. */
export interface PusherRunner {
  readonly target: PushTarget;
  /** It gets events that were received from then on, in milliseconds since the Unix epoch. */
  readonly fromTs: number;
  /** How many rooms have events that wait for it. */
  readonly waiting: number;
  /** Since when the oldest has waited in this process, in milliseconds since the Unix epoch; undefined if none does, or the gateway fails. */
  readonly waitingSince: number | undefined;
  /** Begins to send; until then it only collects what waits. */
  begin(): void;
  /** Takes over what its user has changed. */
  update(target: PushTarget): void;
  /** Says that events of a room wait. */
  add(roomId: string): void;
  /** Says that the number of unread messages may have fallen. */
  checkBadge(): void;
  /** Continues what is due. */
  wake(): void;
  /** Ends the running attempt, which then does not count; resolves when it has ended. */
  stop(): Promise<void>;
}

/** What a runner shares with others, and how it begins. */
export interface RunnerOptions {
  readonly badges: Badges;
  readonly holdsLease: () => boolean;
  /** Whether another process, or an earlier run, may have sent to the pusher. */
  readonly isTakenOver: boolean;
}

/**
 * The work on a pusher: sends what waits, the events of a room in their order. It may be killed at any moment and run
 * twice: how far it is, is stored after each push, so a push is repeated and none is left out.
 */
export function createPusherRunner(
  deps: PushDeps,
  first: PushTarget,
  stored: PushState,
  { badges, holdsLease, isTakenOver }: RunnerOptions,
): PusherRunner {
  const stopping = new AbortController();
  const { signal } = stopping;
  let target = first;
  // Set again while no process looked after it: the client is there, and may have another gateway now.
  let state = first.setTs > (stored.last_failure_ts ?? 0) ? { ...stored, due: 0 } : stored;
  /** The rooms whose events wait, and since when. */
  const rooms = new Map<string, number>();
  let isBadgeDue = stored.badge > 0;
  /** Whether the gateway may have been told another number than the stored one: by an attempt whose success is not known. */
  let isBadgeUnsure = stored.failures > 0;
  let running: Promise<void> | undefined;
  /** Not until it has begun, and not after it was rejected or the sender has ended. */
  let maySend = false;

  const change = async (changes: Partial<PushState>) => {
    state = { ...state, ...changes };
    await deps.pushStates.updateOne(
      { _id: state._id, user_id: state.user_id },
      { $set: changes },
      NOT_FLUSHED,
    );
  };
  const learn = async (unread: number) => {
    const now = deps.clock.now();
    const isNew =
      state.failures > 0 || state.badge !== unread || now - (state.last_success_ts ?? 0) >= SUCCESS_STORED_MS;
    const accepted = { failures: 0, due: 0, failing_since_ts: null, last_success_ts: now };
    if (isNew) await change({ badge: unread, ...accepted });
    isBadgeUnsure = false;
  };
  const post = async (notification: object, unread: number): Promise<Attempted> => {
    const { url, pushkey } = target;
    const headers = { 'content-type': 'application/json' };
    const request = { url, headers, body: JSON.stringify({ notification }), signal };
    const begun = deps.clock.now();
    const host = URL.parse(url)?.host ?? '';
    const outcome = await deps.gatewaySlots.run(host, () => deps.sender.post(request));
    if (signal.aborted || (outcome.kind === 'failed' && outcome.reason === 'aborted')) {
      // The sender has ended as well, and would end each further attempt at once.
      maySend = false;
      return 'ended';
    }
    if (outcome.kind === 'answered' && isAccepted(outcome)) {
      if (rejects(outcome.body, pushkey)) {
        await deps.targets.remove(target, [pushkey], begun);
        deps.attempts.add({ outcome: 'rejected' });
        // Until it is ended, or set again.
        maySend = false;
        return 'ended';
      }
      deps.attempts.add({ outcome: 'delivered' });
      await learn(unread);
      return 'sent';
    }
    const failures = state.failures + 1;
    const now = deps.clock.now();
    const pauseMs = pauseBefore(Math.min(failures, MAX_PAUSES), pauseAsked(outcome), deps.random) ?? 0;
    deps.attempts.add({ outcome: 'retried' });
    isBadgeUnsure = true;
    isBadgeDue = true;
    await change({
      failures,
      due: now + pauseMs,
      last_failure_ts: now,
      last_failure: failureOf(outcome),
      failing_since_ts: state.failing_since_ts ?? now,
    });
    return 'failed';
  };

  const push = async (room: Room, document: EventDocument, effect: PushEffect): Promise<Attempted> => {
    const unread = await badges.total(target.userId);
    const sender = await deps.members.findOne({ _id: memberId(room._id, document.sender) });
    const senderName = sender?.displayname ?? null;
    return post(notificationOf(target, { room, document, effect, senderName, unread }), unread);
  };
  /** Removes a queue up to an arrival, unless further events were found since. */
  const end = async ({ _id, user_id, room_id }: PushQueue, arrival: number) => {
    const since = rooms.get(room_id) ?? deps.clock.now();
    rooms.delete(room_id);
    const filter = { _id, user_id, seen: { $lte: arrival } };
    const { deletedCount } = await deps.pushQueues.deleteOne(filter, NOT_FLUSHED);
    if (deletedCount > 0) return;
    const left = await deps.pushQueues.findOne({ _id, user_id });
    if (left) rooms.set(room_id, since);
  };
  /** Sends a page of what waits in a room. */
  const pushRoom = async (roomId: string): Promise<void> => {
    const { id, userId } = target;
    const queue = await deps.pushQueues.findOne({ _id: pushQueueId(id, roomId) });
    if (!queue) return void rooms.delete(roomId);
    const room = await loadRoom(deps, roomId);
    const member = await deps.members.findOne({ _id: memberId(roomId, userId) });
    if (!room || !member) return end(queue, Number.MAX_SAFE_INTEGER);
    const isUnread = await unreadIn(deps, room, member);
    if (!isUnread) return end(queue, room.arrival);
    const after = Math.max(queue.after, room.arrival - MAX_WAITING);
    const page = await deps.events
      .find(
        { room_id: roomId, arrival: { $gt: after, $lte: room.arrival } },
        { sort: { arrival: 1 }, limit: PAGE },
      )
      .toArray();
    const judge = new Judge(deps, room);
    const oldest = Math.max(state.from_ts, deps.clock.now() - MAX_AGE_MS);
    for (const document of page) {
      if (document.received_ts < oldest || !isUnread(document)) continue;
      const effect = await judge.effectOn(member, document);
      if (!effect) continue;
      if (!isDue() || (await push(room, document, effect)) !== 'sent') return;
      await moveTo(queue, document.arrival ?? 0);
    }
    if (page.length < PAGE) return end(queue, room.arrival);
    await moveTo(queue, page.at(-1)?.arrival ?? 0);
    // Behind the other rooms that wait.
    const since = rooms.get(roomId) ?? deps.clock.now();
    rooms.delete(roomId);
    rooms.set(roomId, since);
  };
  const moveTo = async ({ _id, user_id }: PushQueue, after: number) => {
    await deps.pushQueues.updateOne({ _id, user_id }, { $max: { after } }, NOT_FLUSHED);
  };

  const tellBadge = async () => {
    isBadgeDue = false;
    const unread = await badges.total(target.userId);
    // That there are more, the pushes of these messages tell.
    if (unread >= state.badge && !isBadgeUnsure) return;
    await post(badgeOf(target, unread), unread);
  };
  const isDue = () =>
    maySend && !signal.aborted && !target.paused && holdsLease() && state.due <= deps.clock.now();
  const run = async () => {
    while (isDue()) {
      const [roomId] = rooms.keys();
      if (roomId !== undefined) await pushRoom(roomId);
      else if (isBadgeDue) await tellBadge();
      else return;
    }
  };
  const wake = () => {
    if (running || !isDue() || (rooms.size === 0 && !isBadgeDue)) return;
    running = run()
      .then(
        () => true,
        (error: unknown) => {
          if (!signal.aborted) deps.report('a push was not completed yet', { error });
          return false;
        },
      )
      .then((isDone) => {
        running = undefined;
        // What came while it ended; after a failure of the store, the next round continues.
        if (isDone) wake();
      });
  };
  return {
    get target() {
      return target;
    },
    get fromTs() {
      return state.from_ts;
    },
    get waiting() {
      return rooms.size;
    },
    get waitingSince() {
      return state.failures > 0
        ? undefined
        : [...rooms.values()].reduce<number | undefined>((a, b) => Math.min(a ?? b, b), undefined);
    },
    begin() {
      maySend = true;
      // The last push of another process may not be stored.
      isBadgeUnsure ||= isTakenOver && rooms.size > 0;
      isBadgeDue ||= isBadgeUnsure;
      wake();
    },
    update(next) {
      const isSetAgain = next.setTs > target.setTs;
      target = next;
      // The client is there again, and may have another gateway now.
      if (isSetAgain) {
        state = { ...state, due: 0 };
        maySend = true;
      }
      wake();
    },
    add(roomId) {
      if (!rooms.has(roomId)) rooms.set(roomId, deps.clock.now());
      wake();
    },
    checkBadge() {
      // A push that is on its way tells the number of before.
      if (state.badge === 0 && !running) return;
      isBadgeDue = true;
      wake();
    },
    wake,
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

function failureOf(outcome: Outcome): PushFailure {
  return outcome.kind === 'answered'
    ? { status: outcome.status, failure: null, detail: null }
    : { status: null, failure: outcome.reason, detail: outcome.detail };
}

/** Tells which events of a room a member has not read; undefined if they are not in the room. */
async function unreadIn(
  deps: PushDeps,
  room: Room,
  member: MemberDocument,
): Promise<((document: EventDocument) => boolean) | undefined> {
  if (member.membership === 'invite') return ({ _id }) => _id === member.event_id;
  if (member.membership !== 'join') return undefined;
  const { start, threads } = await readUpTo(deps, room, member);
  return (document) => (document.arrival ?? 0) > Math.max(start, threads.get(threadOf(document)) ?? 0);
}
