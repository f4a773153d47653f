/** The names of streams and subjects on the broker. No subject contains an id. */
export interface Names {
  /** The stream of events, and the subjects that it stores. */
  readonly stream: string;
  readonly streamSubjects: readonly string[];
  /** The subject of a kind of fact. */
  factSubject(type: string): string;
  /** The subject of the events that are replayed to one consumer. */
  replaySubject(durable: string): string;
  /** The stream of dead letters, and the subjects that it stores. */
  readonly deadLetterStream: string;
  readonly deadLetterSubjects: readonly string[];
  /** The subject of the dead letters of one consumer. */
  deadLetterSubject(durable: string): string;
  /** The subject of notifications, which no stream stores. */
  readonly notificationSubject: string;
  /** The stream of broadcasts, and the subjects that it stores. */
  readonly broadcastStream: string;
  readonly broadcastSubjects: readonly string[];
  /** The subject of the broadcasts of one topic. */
  broadcastSubject(topic: string): string;
  /** The stream of the events of the feed, for consumers outside of the server, and the subjects that it stores. */
  readonly publicStream: string;
  readonly publicSubjects: readonly string[];
  /** The subject of a type of events, such as `account.created`; it can contain wildcards. */
  publicSubject(type: string): string;
}

const NAMESPACE = /^[a-z][a-z0-9_]*$/;

/**
 * Returns the names within a namespace.
 *
 * @throws TypeError when the namespace has characters other than lower-case letters, digits and `_`
 */
export function namesIn(namespace: string): Names {
  if (!NAMESPACE.test(namespace))
    throw new TypeError(`Namespace ${namespace} has other than lower-case letters, digits and _`);
  const stream = namespace.toUpperCase();
  return {
    stream,
    streamSubjects: [`${namespace}.*.*`, `${namespace}-replay.*`],
    factSubject: (type) => `${namespace}.${type}`,
    replaySubject: (durable) => `${namespace}-replay.${durable}`,
    deadLetterStream: `${stream}_DEAD_LETTERS`,
    deadLetterSubjects: [`${namespace}-dead.*`],
    deadLetterSubject: (durable) => `${namespace}-dead.${durable}`,
    notificationSubject: `${namespace}-wake`,
    broadcastStream: `${stream}_BROADCASTS`,
    broadcastSubjects: [`${namespace}-broadcast.*`],
    publicStream: `${stream}_PUBLIC`,
    publicSubjects: [`${namespace}.public.v1.>`],
    publicSubject: (type) => `${namespace}.public.v1.${type}`,
    broadcastSubject: (topic) => `${namespace}-broadcast.${topic}`,
  };
}
