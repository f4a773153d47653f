import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { call } from '../../../api/call.ts';
import { useCan } from '../../../api/use-can.ts';
import type { Answer } from '../../../client/operation.ts';
import { isRoomId } from '../list/room-filters.ts';

/** A room of the server. */
export type Room = Answer<'rooms.get'>;

/**
 * Reads a room; null if the server does not have it. That is asked for first, without a request that would be refused: a room
 * that is deleted while its page is open is no error.
 */
export function useRoom(roomId: string): UseQueryResult<Room | null, Error> {
  const can = useCan();
  return useQuery({
    queryKey: ['rooms.get', { room_id: roomId }],
    queryFn: async ({ signal }) => {
      if (!isRoomId(roomId)) return null;
      const { count } = await call('rooms.listForwardExtremities', { room_id_or_alias: roomId }, { signal });
      // A room that exists has at least one.
      return count === 0 ? null : await call('rooms.get', { room_id: roomId }, { signal });
    },
    enabled: can('rooms.get'),
  });
}
