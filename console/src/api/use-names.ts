import type { RoomName, UserName } from '@steward/sdk';
import { useQuery } from '@tanstack/react-query';
import DataLoader from 'dataloader';
import { call } from './call.ts';
import { useCan } from './use-can.ts';

/** How many names a request asks for: with the longest ids, its URL is as long as servers accept. */
const BATCH = 40;

/** How long ids are collected for one request, in milliseconds: the rows of a table are rendered one by one. */
const COLLECT_MS = 20;

const users = loaderOf<UserName>(async (ids) => (await call('users.getNames', { user_id: ids })).users);
const rooms = loaderOf<RoomName>(async (ids) => (await call('rooms.getNames', { room_id: ids })).rooms);

/** The name of a user; undefined while it is not known, and of users without an account on this server. */
export function useUserName(id: string, enabled = true): UserName | undefined {
  return useName('users.getNames', users, id, enabled && id.startsWith('@'));
}

/** The name of a room; undefined while it is not known, and of rooms that the server does not know. */
export function useRoomName(id: string, enabled = true): RoomName | undefined {
  return useName('rooms.getNames', rooms, id, enabled && id.startsWith('!'));
}

function useName<Name>(
  operation: 'users.getNames' | 'rooms.getNames',
  names: DataLoader<string, Name | null>,
  id: string,
  enabled: boolean,
): Name | undefined {
  const can = useCan();
  const { data } = useQuery({
    queryKey: [operation, id],
    queryFn: () => names.load(id),
    enabled: enabled && can(operation),
  });
  return data ?? undefined;
}

/** Reads the names that are wanted at about the same time with one request. What they answered is kept by the queries. */
function loaderOf<Name>(
  read: (ids: string[]) => Promise<Readonly<Record<string, Name>>>,
): DataLoader<string, Name | null> {
  return new DataLoader<string, Name | null>(
    async (ids) => {
      const names = await read([...ids]);
      return ids.map((id) => (Object.hasOwn(names, id) ? (names[id] ?? null) : null));
    },
    { maxBatchSize: BATCH, cache: false, batchScheduleFn: (send) => setTimeout(send, COLLECT_MS) },
  );
}
