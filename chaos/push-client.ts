import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '@steward/kernel';
import { type Notification, type PushAnswer, path } from '@steward/testing';
import { choose } from '@steward/topology/testing';
import type { Caller } from './caller.ts';
import type { Gateway } from './gateway.ts';
import { CLIENT, createOwner, createSharedRoom, type OwnerOptions, sendMessage } from './owner.ts';

const ROOMS = 2;

/** The most messages that one step sends. */
const MOST_MESSAGES = 3;

/**
 * How long pushes may take after the last fault, in milliseconds: what is told over the broker may be lost, and is then found within
 * a minute; another process takes over within 14 seconds, and a gateway that failed is tried again after five.
 */
const PATIENCE_MS = 120_000;

const POLL_MS = 100;

/** A room, and what is known of it. */
interface Talk {
  readonly roomId: string;
  /** The messages that were sent, in their order. */
  readonly sent: string[];
  /** The messages that rang, in the order in which they first did. */
  readonly rung: Set<string>;
  /** Messages that were read before they rang; they may ring. */
  readonly excused: Set<string>;
  /** The index of the last message that was read. */
  read: number;
}

/** A user with a phone, to whom another one sends messages in rooms, and who reads them. */
export interface PushClient {
  /** How many messages were acknowledged, and how many pushes accepted. */
  readonly accepted: { messages: number; pushes: number };
  step(): Promise<void>;
  /** Waits until the phone shows what is unread; returns the differences. */
  check(caller: Caller): Promise<readonly string[]>;
}

/** The parameters of a push client. */
export interface PushClientOptions extends OwnerOptions {
  readonly random: Random;
  readonly gateway: Gateway;
}

/** Creates two users, rooms of both, and the phone of one. */
export async function createPushClient(options: PushClientOptions): Promise<PushClient> {
  const { name, random, caller, gateway } = options;
  const sender = await createOwner(options, 'caller');
  const reader = await createOwner(options, 'phone');
  const talks: Talk[] = [];
  for (let n = 0; n < ROOMS; n++) {
    const roomId = await createSharedRoom(caller, sender, reader);
    talks.push({ roomId, sent: [], rung: new Set(), excused: new Set(), read: -1 });
  }
  const accepted = { messages: 0, pushes: 0 };
  const faults: string[] = [];
  let shown = 0;
  let isFailing = false;
  const ring = ({ event_id, room_id, counts }: Notification): PushAnswer => {
    if (isFailing) {
      isFailing = false;
      return { status: 503 };
    }
    accepted.pushes++;
    shown = counts.unread;
    const talk = talks.find(({ roomId }) => roomId === room_id);
    if (event_id !== undefined) talk?.rung.add(event_id);
    return { status: 200 };
  };
  gateway.connect(name, ring);
  const setPusher = async (by: Caller): Promise<void> => {
    const body = {
      app_id: 'test',
      pushkey: name,
      kind: 'http',
      app_display_name: 'Test',
      device_display_name: 'Phone',
      lang: 'en',
      data: { url: gateway.url },
    };
    await by.must([200], 'POST', `${CLIENT}/pushers/set`, { token: reader.token, body });
  };
  const sendMessages = async (): Promise<void> => {
    const { roomId, sent } = choose(random, talks);
    for (let left = 1 + random.below(MOST_MESSAGES); left > 0; left--) {
      sent.push(await sendMessage(caller, sender, roomId, `${name}-${sent.length}`));
      accepted.messages++;
    }
  };
  const readUpTo = async (talk: Talk, index: number): Promise<void> => {
    const { roomId, sent, rung, excused } = talk;
    for (const id of sent.slice(0, index + 1)) if (!rung.has(id)) excused.add(id);
    const type = choose(random, ['m.read', 'm.read.private']);
    const at = `${CLIENT}${path`/rooms/${roomId}/receipt/${type}/${sent[index] ?? ''}`}`;
    await caller.must([200], 'POST', at, { token: reader.token, body: {} });
    talk.read = index;
  };
  /** What each room shows as unread, which a response of sync does as soon as a request has changed it. */
  const compareCounts = async (by: Caller): Promise<void> => {
    const { body } = await by.must([200], 'GET', `${CLIENT}/sync?timeout=0`, { token: reader.token });
    for (const { roomId, sent, read } of talks) {
      const unread = body.rooms.join[roomId].unread_notifications.notification_count;
      const expected = sent.length - 1 - read;
      if (unread !== expected)
        faults.push(`${reader.userId} has ${unread} unread messages in ${roomId} instead of ${expected}`);
    }
  };
  const steps = [
    sendMessages,
    async () => {
      const talk = choose(random, talks);
      const last = talk.sent.findLastIndex((id) => talk.rung.has(id));
      if (last > talk.read) await readUpTo(talk, last);
    },
    async () => {
      const talk = choose(random, talks);
      const unread = talk.sent.length - 1 - talk.read;
      if (unread > 0) await readUpTo(talk, talk.read + 1 + random.below(unread));
    },
    async () => {
      isFailing = true;
    },
    () => setPusher(caller),
    () => compareCounts(caller),
  ];
  /** What the phone does not show yet. */
  const missing = (): readonly string[] => {
    const lost = talks.flatMap(({ roomId, sent, rung, excused }) =>
      sent
        .filter((id) => !(rung.has(id) || excused.has(id)))
        .map((id) => `the phone of ${reader.userId} did not ring for ${id} in ${roomId}`),
    );
    const unread = talks.reduce((sum, { sent, read }) => sum + sent.length - 1 - read, 0);
    return shown === unread
      ? lost
      : [...lost, `the phone of ${reader.userId} shows ${shown} unread messages instead of ${unread}`];
  };
  const untilShown = async (): Promise<readonly string[]> => {
    const givenUpAt = performance.now() + PATIENCE_MS;
    for (;;) {
      const left = missing();
      if (left.length === 0 || performance.now() > givenUpAt) return left;
      await sleep(POLL_MS);
    }
  };
  await setPusher(caller);
  return {
    accepted,
    async step() {
      await steps[random.below(steps.length)]?.();
    },
    async check(by) {
      isFailing = false;
      // Ends the pause after failures.
      await setPusher(by);
      faults.push(...(await untilShown()));
      for (const { roomId, sent, rung } of talks) {
        const order = [...rung].map((id) => sent.indexOf(id));
        if (order.some((index, n) => index < 0 || index < (order[n - 1] ?? 0)))
          faults.push(`the phone of ${reader.userId} rang for messages in ${roomId} in the order ${order}`);
      }
      await compareCounts(by);
      return faults;
    },
  };
}
