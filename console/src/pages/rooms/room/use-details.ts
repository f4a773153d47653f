import { useRead } from '../../../api/use-read.ts';

/** So many that rooms with the id in their names do not hide the one with the id. */
const FOUND = 100;

/** What only lists say of a room. */
export function useDetails(roomId: string) {
  const { data } = useRead('rooms.list', { search_term: roomId, details: true, limit: FOUND });
  return data?.rooms.find(({ room_id: id }) => id === roomId)?.details;
}
