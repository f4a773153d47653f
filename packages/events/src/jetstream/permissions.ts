import { namesIn } from './names.ts';

/** What a service uses of the bus. */
export interface BusUse {
  /** The service, with whose name the types of its facts begin. */
  readonly service: string;
  /** The names of its consumers. */
  readonly consumers: readonly string[];
  /** Whether it lists, replays and drops the dead letters of all consumers. */
  readonly administersDeadLetters: boolean;
  /** The topics in which its instances broadcast to each other. */
  readonly broadcasts: readonly string[];
  /** Whether it publishes the events of the feed. */
  readonly publishesFeed: boolean;
}

/** The subjects that an account may publish to and subscribe to. */
export interface Permissions {
  readonly publish: readonly string[];
  readonly subscribe: readonly string[];
}

/** The facts that every service publishes, in addition to those that begin with its name. */
const COMMON_FACTS = ['audit.*', 'event.*'] as const;

/** How the clients of a process are named, and so the subjects on which they receive answers. */
export function inboxOf(client: string): string {
  return `_INBOX.${client}`;
}

/** The least that the account of a service needs. The client is named as its process. */
export function servicePermissions(namespace: string, client: string, use: BusUse): Permissions {
  const names = namesIn(namespace);
  const { stream, deadLetterStream, broadcastStream, publicStream } = names;
  const { service, consumers, administersDeadLetters, broadcasts, publishesFeed } = use;
  const streams = [
    stream,
    deadLetterStream,
    ...(broadcasts.length > 0 ? [broadcastStream] : []),
    ...(publishesFeed ? [publicStream] : []),
  ];
  return {
    publish: [
      names.factSubject(`${service}.*`),
      ...COMMON_FACTS.map((facts) => names.factSubject(facts)),
      names.notificationSubject,
      ...streams.flatMap((name) =>
        ['INFO', 'CREATE', 'UPDATE'].map((request) => `$JS.API.STREAM.${request}.${name}`),
      ),
      ...broadcasts.map((topic) => names.broadcastSubject(topic)),
      ...(broadcasts.length > 0 ? [`$JS.API.DIRECT.GET.${broadcastStream}`] : []),
      ...(publishesFeed ? [names.publicSubject('*.*'), `$JS.API.DIRECT.GET.${publicStream}`] : []),
      ...consumers.flatMap((durable) => [
        ...['INFO', 'CREATE', 'DURABLE.CREATE', 'MSG.NEXT', 'PAUSE', 'UNPIN'].map(
          (request) => `$JS.API.CONSUMER.${request}.${stream}.${durable}`,
        ),
        `$JS.ACK.${stream}.${durable}.>`,
        names.deadLetterSubject(durable),
      ]),
      ...(administersDeadLetters
        ? [
            `$JS.API.STREAM.MSG.GET.${deadLetterStream}`,
            `$JS.API.STREAM.MSG.DELETE.${deadLetterStream}`,
            `$JS.API.DIRECT.GET.${deadLetterStream}`,
            `$JS.API.CONSUMER.INFO.${stream}.*`,
            names.replaySubject('*'),
          ]
        : []),
    ],
    subscribe: [
      `${inboxOf(client)}.>`,
      names.notificationSubject,
      ...broadcasts.map((topic) => names.broadcastSubject(topic)),
    ],
  };
}

/**
 * What the account of a program needs that receives the events of the feed, and nothing else. Its consumer is made by the
 * operator, because who makes consumers decides to which subjects they deliver.
 *
 * @param client how its clients begin the names of their inboxes, behind `_INBOX.`, and the name of its consumer
 */
export function publicReaderPermissions(namespace: string, client: string): Permissions {
  const { publicStream } = namesIn(namespace);
  return {
    publish: [
      ...['INFO', 'MSG.NEXT'].map((request) => `$JS.API.CONSUMER.${request}.${publicStream}.${client}`),
      `$JS.ACK.${publicStream}.${client}.>`,
    ],
    subscribe: [`${inboxOf(client)}.>`],
  };
}

/** The least that backup, restore and move need; and that the operator needs to make consumers of the public stream. */
export function commandPermissions(namespace: string, client: string): Permissions {
  const names = namesIn(namespace);
  const streams = [names.stream, names.deadLetterStream];
  return {
    publish: [
      '$JS.API.INFO',
      ...streams.flatMap((stream) => [
        ...['INFO', 'CREATE', 'UPDATE', 'DELETE'].map((request) => `$JS.API.STREAM.${request}.${stream}`),
        `$JS.API.CONSUMER.LIST.${stream}`,
        `$JS.API.DIRECT.GET.${stream}`,
      ]),
      `$JS.API.STREAM.DELETE.${names.broadcastStream}`,
      ...['STREAM.INFO', 'STREAM.DELETE'].map((request) => `$JS.API.${request}.${names.publicStream}`),
      ...['CREATE', 'DURABLE.CREATE', 'INFO', 'DELETE'].map(
        (request) => `$JS.API.CONSUMER.${request}.${names.publicStream}.>`,
      ),
      ...names.streamSubjects,
      ...names.deadLetterSubjects,
    ],
    subscribe: [`${inboxOf(client)}.>`],
  };
}
