import type { Query, QueryClient } from '@tanstack/react-query';
import type { Operation } from '../client/operation.ts';

type Group = Operation extends `${infer G}.${string}` ? G : never;

/** The further groups whose answers change with those of a group. */
const ALSO: Partial<Record<Group, readonly Group[]>> = {
  users: ['devices', 'rooms', 'statistics', 'media', 'reports'],
  devices: ['users'],
  rooms: ['statistics', 'tasks', 'media'],
  media: ['users', 'statistics', 'tasks'],
  mediaHashes: ['media'],
  reports: ['eventReports', 'userReports', 'tasks', 'users', 'rooms', 'media', 'statistics'],
  roles: ['users', 'tokens'],
  tasks: ['rooms', 'media', 'statistics'],
  deadLetters: ['server'],
  sessions: ['users'],
  registrationTokens: [],
};

/** Marks reads that the audit log records: they are repeated only when their user asks for it. */
export const RECORDED = { recorded: true } as const;

/** The reads that have no answer any more after an order: the page that shows them closes. */
const ENDS: Partial<Record<Operation, readonly Operation[]>> = {
  'tokens.revoke': ['tokens.get'],
  'webhooks.delete': ['webhooks.get', 'webhooks.listDeliveries', 'webhooks.getDelivery'],
};

/** How long the events of an order may arrive after its answer, in milliseconds. */
const ECHO_MS = 5_000;

/** The reads that have ended with an order of this page, and until when its events are expected. */
const echoes = new Map<string, number>();

/**
 * Marks the answers as outdated that an order may have changed; those on the page are read again.
 *
 * @param succeeded whether the order was carried out
 */
export async function refreshAfter(
  queries: QueryClient,
  operation: Operation,
  succeeded = false,
): Promise<void> {
  const ended: ReadonlySet<string> = new Set(succeeded ? ENDS[operation] : []);
  for (const read of ended) echoes.set(read, Date.now() + ECHO_MS);
  await queries.invalidateQueries({
    predicate: ({ queryKey: [read] }) => ended.has(String(read)),
    refetchType: 'none',
  });
  await refreshGroups(queries, [operation.split('.')[0] as Group]);
}

/** Marks the answers of groups, and of those that change with them, as outdated. */
export function refreshGroups(queries: QueryClient, groups: Iterable<Group>): Promise<void> {
  const outdated = new Set<string>();
  for (const group of groups) for (const each of [group, ...(ALSO[group] ?? [])]) outdated.add(each);
  return queries.invalidateQueries({
    predicate: (query) => {
      const [operation] = query.queryKey;
      return (
        isRepeated(query) &&
        typeof operation === 'string' &&
        !((echoes.get(operation) ?? 0) > Date.now()) &&
        outdated.has(operation.split('.')[0] ?? '')
      );
    },
  });
}

/** Marks all answers as outdated. */
export function refreshAll(queries: QueryClient): Promise<void> {
  return queries.invalidateQueries({ predicate: isRepeated });
}

function isRepeated({ meta }: Pick<Query, 'meta'>): boolean {
  return meta?.recorded !== true;
}

export type { Group };
