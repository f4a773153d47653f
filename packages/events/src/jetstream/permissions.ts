import { namesIn } from './names.ts';

/** What a service uses of the bus. */
export interface BusUse {
  /** The service, with whose name the types of its facts begin. */
  readonly service: string;
  /** The names of its consumers. */
  readonly consumers: readonly string[];
  /** Whether it lists, replays and drops the dead letters of all consumers. */
  readonly administersDeadLetters: boolean;
  /** Whether its instances broadcast to each other, in the topic of its name. */
  readonly broadcasts: boolean;
}

/** The subjects that an account may publish to and subscribe to. */
export interface Permissions {
  readonly publish: readonly string[];
  readonly subscribe: readonly string[];
}

/** The facts that every service publishes, beside those that begin with its name. */
const COMMON_FACTS = 'audit.*';

/** How the clients of a process are named, and so the subjects on which they receive answers. */
export function inboxOf(client: string): string {
  return `_INBOX.${client}`;
}

/** The least that the account of a service needs. The client is named as its process. */
export function servicePermissions(namespace: string, client: string, use: BusUse): Permissions {
  const names = namesIn(namespace);
  const { stream, deadLetterStream, broadcastStream } = names;
  const { service, consumers, administersDeadLetters, broadcasts } = use;
  return {
    publish: [
      names.factSubject(`${service}.*`),
      names.factSubject(COMMON_FACTS),
      names.notificationSubject,
      ...[stream, deadLetterStream, ...(broadcasts ? [broadcastStream] : [])].flatMap((name) =>
        ['INFO', 'CREATE', 'UPDATE'].map((request) => `$JS.API.STREAM.${request}.${name}`),
      ),
      ...(broadcasts ? [names.broadcastSubject(service), `$JS.API.DIRECT.GET.${broadcastStream}`] : []),
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
      ...(broadcasts ? [names.broadcastSubject(service)] : []),
    ],
  };
}

/** The least that backup, restore and move need. */
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
      ...names.streamSubjects,
      ...names.deadLetterSubjects,
    ],
    subscribe: [`${inboxOf(client)}.>`],
  };
}
