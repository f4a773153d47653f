import type { Clock, Random } from '@steward/kernel';
import { type Meters, noMeters } from '@steward/telemetry';
import type { Bus } from '../bus.ts';
import { consumerOptions } from '../consumer-options.ts';
import { toEnvelope } from '../envelope.ts';
import { BusUnavailable } from '../errors.ts';
import { meterBus } from '../meter-bus.ts';
import { Notifications } from '../notifications.ts';
import type { Report } from '../report.ts';
import { openBroadcast } from './broadcast.ts';
import type { Broker } from './broker.ts';
import { JetStreamConsumer } from './consumer.ts';
import { openDeadLetterStream } from './dead-letters.ts';
import { ensureStreams } from './ensure-streams.ts';
import { find } from './find.ts';
import { type Connection, Link } from './link.ts';
import { namesIn } from './names.ts';
import { openPublicStream } from './public-stream.ts';

/** The dependencies and settings of the bus over NATS JetStream. */
export interface JetStreamBusOptions {
  readonly broker: Broker;
  /** Names this client on the broker, without dots; `steward` by default. */
  readonly client?: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly report?: Report;
  readonly meters?: Meters;
  /**
   * Separates set-ups that share a broker: lower-case letters, digits and `_`; `steward` by default.
   * Its upper-case form names the stream.
   */
  readonly namespace?: string;
  /** How many servers of the cluster keep a stream that this bus creates, 1 to 5; 1 by default. */
  readonly replicas?: number;
  /**
   * How long the broker waits for a heartbeat of the process that holds an event before it redelivers
   * the event, in milliseconds; 10,000 by default.
   */
  readonly ackWaitMs?: number;
  /**
   * How long the broker waits for the next request of the pinned instance before it pins another one,
   * in milliseconds, 2,000 or more; 6,000 by default.
   */
  readonly takeoverMs?: number;
}

/** Short, because the bus waits for an unreachable broker in the background. */
const FIRST_CONNECT_WAIT_MS = 2_000;
const ACK_WAIT_MS = 10_000;
const TAKEOVER_MS = 6_000;

/**
 * Creates the bus over NATS JetStream, server 2.11 or later. The stream `STEWARD` keeps events on subjects
 * `steward.<service>.<fact>`; a new consumer, or one that was absent for up to 30 days, receives what it
 * missed. `publish` resolves when the broker has stored the event.
 *
 * Resolves when the broker is connected, and after two seconds in any case: the bus keeps trying to connect
 * without limit, and subscriptions start as soon as it succeeds.
 *
 * @throws TypeError when a URL or the namespace is not of the documented form
 * @throws BusRefused when within these two seconds the broker refuses the credentials, or the two cannot agree on TLS
 */
export async function createJetStreamBus(options: JetStreamBusOptions): Promise<Bus> {
  const {
    broker,
    client = 'steward',
    clock,
    random,
    report = () => {},
    namespace = 'steward',
    replicas = 1,
    meters = noMeters,
  } = options;
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
  const link = new Link({ broker, client, random, report, prepare });
  const deadLetters = openDeadLetterStream(link, names);
  const consumers = new Map<string, { close(): Promise<void> }>();
  let closed = false;
  const refuseWhenClosed = () => {
    if (closed) throw new BusUnavailable('The bus is closed');
  };

  const late = Promise.withResolvers<void>();
  const timer = setTimeout(late.resolve, FIRST_CONNECT_WAIT_MS);
  try {
    await Promise.race([link.ready(), late.promise, link.refused()]);
  } catch (error) {
    await link.close();
    throw error;
  } finally {
    clearTimeout(timer);
  }

  const bus: Bus = {
    async publish(event) {
      refuseWhenClosed();
      const subject = names.factSubject(event.type);
      // Encoded because a header must not contain line breaks; ids of the usual alphabets stay unchanged.
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
        publish: (event) => bus.publish(event),
        clock,
        random,
        report,
        meters,
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
    get connected() {
      return link.up;
    },
    async pending() {
      const lags = [...consumers.keys()].map(async (durable) => {
        const info = await link.request(({ jsm }) => find(jsm.consumers.info(names.stream, durable)));
        // A consumer exists from its first connection on.
        return [durable, info ? info.num_pending + info.num_ack_pending : 0] as const;
      });
      try {
        return new Map(await Promise.all(lags));
      } catch (cause) {
        throw new BusUnavailable('The broker did not answer', { cause });
      }
    },
    notify(topic) {
      notifications.notify(topic);
      link.send(names.notificationSubject, topic);
    },
    onNotification: (topic, fn) => notifications.onNotification(topic, fn),
    openBroadcast(broadcast) {
      refuseWhenClosed();
      return openBroadcast(broadcast, { link, names, clock, report, replicas });
    },
    openPublicStream: ({ retentionMs }) => openPublicStream(link, names, { replicas, retentionMs }),
    async close() {
      closed = true;
      await Promise.all([...consumers.values()].map((consumer) => consumer.close()));
      await link.close();
    },
  };
  meterBus(bus, meters);
  return bus;
}
