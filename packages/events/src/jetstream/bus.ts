import type { Clock, Random } from '@steward/kernel';
import type { Bus } from '../bus.ts';
import { consumerOptions } from '../consumer-options.ts';
import { toEnvelope } from '../envelope.ts';
import { BusUnavailable } from '../errors.ts';
import { Notifications } from '../notifications.ts';
import type { Report } from '../report.ts';
import { JetStreamConsumer } from './consumer.ts';
import { openDeadLetterStream } from './dead-letters.ts';
import { ensureStreams } from './ensure-streams.ts';
import { type Connection, Link } from './link.ts';
import { namesIn } from './names.ts';
import { parseServers } from './parse-servers.ts';

/** What the bus over NATS JetStream needs. */
export interface JetStreamBusOptions {
  /**
   * URLs of the servers of one cluster, as a list or separated by commas: `nats://host:4222`,
   * `tls://host:4222`; credentials as `user:password@` or `token@` before the host.
   */
  readonly servers: string | readonly string[];
  readonly clock: Clock;
  readonly random: Random;
  readonly report?: Report;
  /**
   * Keeps set-ups that share a broker apart: lower-case letters, digits and `_`; `steward` unless
   * given. Its upper-case form names the stream.
   */
  readonly namespace?: string;
  /** How many servers of the cluster keep a stream that is created, 1 to 5; 1 unless given. */
  readonly replicas?: number;
  /**
   * How long the broker waits for a heartbeat of a process that has an event before it hands the
   * event out again, in milliseconds; 10,000 unless given.
   */
  readonly ackWaitMs?: number;
  /**
   * How long the broker waits for a consumer's instance that has stopped asking before it turns to
   * another one, in milliseconds, 2,000 or more; 6,000 unless given.
   */
  readonly takeoverMs?: number;
}

/** Short enough for an ordinary start; a broker that is away is waited for in the background. */
const FIRST_CONNECT_WAIT_MS = 2_000;
const ACK_WAIT_MS = 10_000;
const TAKEOVER_MS = 6_000;

/**
 * The bus over NATS JetStream, server 2.11 or later. Events are kept by the stream `STEWARD` on
 * subjects `steward.<service>.<fact>`; a consumer that is new, or was away for up to 30 days, gets
 * what it missed. `publish` resolves when the broker has stored the event.
 *
 * Resolves when the broker is connected, and after two seconds in any case: the bus goes on trying to
 * connect, for ever, and subscriptions start as soon as it succeeds.
 *
 * @throws TypeError when a URL or the namespace is not of the documented form
 */
export async function createJetStreamBus(options: JetStreamBusOptions): Promise<Bus> {
  const { clock, random, report = () => {}, namespace = 'steward', replicas = 1 } = options;
  const names = namesIn(namespace);
  const notifications = new Notifications();
  const prepare = async ({ nc, jsm }: Connection) => {
    nc.subscribe(names.notificationSubject, {
      callback: (error, message) => {
        if (!error) notifications.notify(message.string());
      },
    });
    await ensureStreams(jsm, names, replicas);
  };
  const link = new Link({ servers: parseServers(options.servers), random, report, prepare });
  const deadLetters = openDeadLetterStream(link, names);
  const consumers = new Map<string, { close(): Promise<void> }>();
  let closed = false;
  const refuseWhenClosed = () => {
    if (closed) throw new BusUnavailable('The bus is closed');
  };

  const late = Promise.withResolvers<void>();
  const timer = setTimeout(late.resolve, FIRST_CONNECT_WAIT_MS);
  await Promise.race([link.ready(), late.promise]);
  clearTimeout(timer);

  return {
    async publish(event) {
      refuseWhenClosed();
      const subject = names.factSubject(event.type);
      // A header takes no line breaks; ids of the usual alphabets stay as they are.
      const options = { msgID: encodeURIComponent(event.id) };
      try {
        await link.request(({ js }) => js.publish(subject, toEnvelope(event), options));
      } catch (cause) {
        throw new BusUnavailable('The broker did not take the event', { cause });
      }
    },
    async subscribe(subscription) {
      refuseWhenClosed();
      const checked = consumerOptions(subscription);
      const { durable } = checked;
      if (consumers.has(durable)) throw new TypeError(`Consumer ${durable} is subscribed already`);
      const consumer = new JetStreamConsumer(checked, {
        link,
        names,
        deadLetters,
        clock,
        random,
        report,
        replicas,
        ackWaitMs: options.ackWaitMs ?? ACK_WAIT_MS,
        takeoverMs: options.takeoverMs ?? TAKEOVER_MS,
      });
      consumers.set(durable, consumer);
      return {
        async close() {
          await consumer.close();
          if (consumers.get(durable) === consumer) consumers.delete(durable);
        },
      };
    },
    deadLetters,
    notify(topic) {
      notifications.notify(topic);
      link.send(names.notificationSubject, topic);
    },
    onNotification: (topic, fn) => notifications.onNotification(topic, fn),
    async close() {
      closed = true;
      await Promise.all([...consumers.values()].map((consumer) => consumer.close()));
      await link.close();
    },
  };
}
