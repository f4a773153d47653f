import type { NatsConnection, Subscription } from '@nats-io/transport-node';
import type { Clock } from '@steward/kernel';
import type { Broadcast, BroadcastOptions } from '../bus.ts';
import type { Report } from '../report.ts';
import { ensureBroadcastStream } from './ensure-streams.ts';
import type { Link } from './link.ts';
import type { Names } from './names.ts';
import { readMessages } from './read-messages.ts';

/** The dependencies and settings of broadcasts over NATS. */
export interface BroadcastDeps {
  readonly link: Link;
  readonly names: Names;
  readonly clock: Clock;
  readonly report: Report;
  /** See `JetStreamBusOptions`. */
  readonly replicas: number;
}

const TOPIC = /^[a-z][a-z0-9_]*$/;

/** How long the opening of a topic waits for earlier messages, in milliseconds. */
const FIRST_READ_WAIT_MS = 1_000;

/** How many messages wait while earlier ones are read; then the oldest are lost. */
const MAX_WAITING = 10_000;

/**
 * Opens a topic. Messages are published and received without JetStream, which only keeps copies of them in memory. With
 * every connection an instance reads those that were published without it: it publishes an empty message, whose number and
 * time say up to where the copies reach, and how old each is by the broker's own clock.
 */
export async function openBroadcast(
  { topic, receive, connected }: BroadcastOptions,
  { link, names, clock, report, replicas }: BroadcastDeps,
): Promise<Broadcast> {
  if (!TOPIC.test(topic))
    throw new TypeError(`Topic ${topic} has other than lower-case letters, digits and _`);
  const subject = names.broadcastSubject(topic);
  const firstRead = Promise.withResolvers<void>();
  /** Messages that arrived while earlier ones are read; `undefined` when none are read. */
  let waiting: Uint8Array[] | undefined = [];
  let subscribed: { readonly nc: NatsConnection; readonly subscription: Subscription } | undefined;
  /** The number of the last message that was read from the copies. */
  let read = 0;
  let closed = false;
  /** How many times the connection was lost. */
  let losses = 0;

  const subscribe = (nc: NatsConnection) => {
    // The client restores the subscriptions of a connection that it restores.
    if (nc === subscribed?.nc) return;
    const subscription = nc.subscribe(subject, {
      callback(error, { data }) {
        if (error || data.length === 0) return;
        if (!waiting) return receive(data, 0);
        if (waiting.length === MAX_WAITING) waiting.shift();
        waiting.push(data);
      },
    });
    subscribed = { nc, subscription };
  };

  const readMissed = () =>
    link.request(async ({ js, jsm }) => {
      await ensureBroadcastStream(jsm, names, replicas);
      const { seq: last } = await js.publish(subject);
      const marker = await jsm.direct.getMessage(names.broadcastStream, { seq: last });
      if (!marker) return;
      // The numbers of a stream that was created again begin again.
      const first = last > read ? read + 1 : 1;
      const startedAt = clock.now();
      for await (const { data, time } of readMessages(jsm, names.broadcastStream, first, last, subject)) {
        if (closed || data.length === 0) continue;
        const ageMs = marker.time.getTime() - time.getTime() + clock.now() - startedAt;
        receive(data, Math.max(0, ageMs));
      }
      read = last;
    });

  const goUp = async () => {
    const { nc } = await link.ready();
    if (closed) return;
    const lossesBefore = losses;
    subscribe(nc);
    connected();
    try {
      await readMissed();
    } catch (error) {
      if (link.up && !closed)
        report('Broadcasts of the time without a connection were not read', { topic, error });
    }
    firstRead.resolve();
    // Otherwise the next connection reads what is missing.
    if (!link.up || losses !== lossesBefore || closed) return;
    const arrived = waiting ?? [];
    waiting = undefined;
    for (const message of arrived) receive(message, 0);
  };
  let going = Promise.resolve();
  const start = () => {
    going = going.then(goUp).catch(() => {
      // The bus was closed.
    });
  };

  const stop = link.onChange((up) => {
    if (up) start();
    else {
      losses++;
      waiting ??= [];
    }
  });
  if (link.up) {
    start();
    const timer = setTimeout(firstRead.resolve, FIRST_READ_WAIT_MS);
    await firstRead.promise;
    clearTimeout(timer);
  }

  return {
    get isConnected() {
      return link.up;
    },
    send: (message) => link.send(subject, message),
    close() {
      closed = true;
      stop();
      subscribed?.subscription.unsubscribe();
    },
  };
}
