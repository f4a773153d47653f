import type { CollectionDeclaration, Doc } from '@steward/store';
import type { Consumer } from './consumer.ts';

/** What a service uses of the database and of the broker, for the rights of its accounts there. */
export interface ServiceAccess {
  readonly service: string;
  /** The names of its collections. */
  readonly collections: readonly string[];
  /** The full names of its consumers. */
  readonly consumers: readonly string[];
  /** Whether it lists, replays and drops dead letters. */
  readonly administersDeadLetters: boolean;
  /** The topics in which its instances broadcast to each other. */
  readonly broadcasts: readonly string[];
  /** Whether it publishes the events of the feed. */
  readonly publishesFeed: boolean;
}

/** The collections that the shell of a service opens for it. */
const OF_THE_SHELL = ['outbox', 'migrations'] as const;

/**
 * Lists what a service uses of the database and of the broker.
 *
 * @param service its name, with which the names of its collections and consumers begin
 */
export function serviceAccess(
  service: string,
  parts: {
    readonly collections: readonly Pick<CollectionDeclaration<Doc>, 'name'>[];
    readonly consumers: readonly Consumer[];
    readonly administersDeadLetters?: boolean;
    readonly broadcasts?: readonly string[];
    readonly publishesFeed?: boolean;
  },
): ServiceAccess {
  const consumers: string[] = [];
  const bus = {
    subscribe: async ({ durable }: { readonly durable: string }) => {
      consumers.push(durable);
      return { close: async () => {} };
    },
  };
  for (const consumer of parts.consumers) void consumer.subscribe(bus, service);
  const collections = [
    ...parts.collections.map(({ name }) => name),
    ...OF_THE_SHELL.map((name) => `${service}.${name}`),
  ];
  return {
    service,
    collections: collections.toSorted(),
    consumers: consumers.toSorted(),
    administersDeadLetters: parts.administersDeadLetters ?? false,
    broadcasts: parts.broadcasts ?? [],
    publishesFeed: parts.publishesFeed ?? false,
  };
}
