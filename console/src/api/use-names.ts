import type { RoomName, UserName } from '@steward/sdk';
import { useQuery } from '@tanstack/react-query';
import type DataLoader from 'dataloader';
import { batchReads } from './batch-reads.ts';
import { call } from './call.ts';
import { useCan } from './use-can.ts';

const users = batchReads<UserName>(async (ids) => (await call('users.getNames', { user_id: ids })).users);
const rooms = batchReads<RoomName>(async (ids) => (await call('rooms.getNames', { room_id: ids })).rooms);

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
