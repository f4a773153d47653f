/** What things are called on the broker. None of the subjects holds an id. */
export interface Names {
  /** The stream of events, and what it listens to. */
  readonly stream: string;
  readonly streamSubjects: readonly string[];
  /** The subject of a kind of fact. */
  factSubject(type: string): string;
  /** The subject of what is replayed to one consumer. */
  replaySubject(durable: string): string;
  /** The stream of dead letters, and what it listens to. */
  readonly deadLetterStream: string;
  readonly deadLetterSubjects: readonly string[];
  /** The subject of the dead letters of one consumer. */
  deadLetterSubject(durable: string): string;
  /** The subject of notifications, which no stream keeps. */
  readonly notificationSubject: string;
}

const NAMESPACE = /^[a-z][a-z0-9_]*$/;

/**
 * The names within a namespace.
 *
 * @throws TypeError when the namespace has other than lower-case letters, digits and `_`
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
  };
}
