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
  const ended: ReadonlySet<unknown> = new Set(succeeded ? ENDS[operation] : []);
  await queries.invalidateQueries({
    predicate: ({ queryKey: [read] }) => ended.has(read),
    refetchType: 'none',
  });
  await refreshGroups(queries, [operation.split('.')[0] as Group], ended);
}

const NONE: ReadonlySet<unknown> = new Set();

/** Marks the answers of groups, and of those that change with them, as outdated. */
export function refreshGroups(
  queries: QueryClient,
  groups: Iterable<Group>,
  except: ReadonlySet<unknown> = NONE,
): Promise<void> {
  const outdated = new Set<string>();
  for (const group of groups) for (const each of [group, ...(ALSO[group] ?? [])]) outdated.add(each);
  return queries.invalidateQueries({
    predicate: (query) => {
      const [operation] = query.queryKey;
      return (
        isRepeated(query) &&
        typeof operation === 'string' &&
        !except.has(operation) &&
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
