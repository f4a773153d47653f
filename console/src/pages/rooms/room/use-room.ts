import { StewardError } from '@steward/sdk';
import { type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../../../api/call.ts';
import { useCan } from '../../../api/use-can.ts';
import type { Answer } from '../../../client/operation.ts';
import { isRoomId } from './is-room-id.ts';

/** A room of the server. */
export type Room = Answer<'rooms.get'>;

const NOT_FOUND = 404;

/**
 * Reads a room; null if the server does not have it. That is asked for first, without a request that would be refused: a room
 * that is deleted while its page is open is not an error.
 *
 * @param isBeingDeleted whether only that is asked for again, because the room may be gone between two requests
 */
export function useRoom(roomId: string, isBeingDeleted: boolean): UseQueryResult<Room | null, Error> {
  const can = useCan();
  const queries = useQueryClient();
  const queryKey = ['rooms.get', { room_id: roomId }];
  return useQuery<Room | null>({
    queryKey,
    queryFn: async ({ signal }) => {
      if (!isRoomId(roomId)) return null;
      const { count } = await call('rooms.listForwardExtremities', { room_id_or_alias: roomId }, { signal });
      // A room that exists has at least one.
      if (count === 0) return null;
      const former = isBeingDeleted ? queries.getQueryData<Room>(queryKey) : undefined;
      return former ?? (await readRoom(roomId, signal));
    },
    enabled: can('rooms.get'),
  });
}

async function readRoom(roomId: string, signal: AbortSignal): Promise<Room | null> {
  try {
    return await call('rooms.get', { room_id: roomId }, { signal });
  } catch (error) {
    if (error instanceof StewardError && error.status === NOT_FOUND) return null;
    throw error;
  }
}
