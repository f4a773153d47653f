import { useEffect, useState } from 'react';
import { useRead } from '../../../api/use-read.ts';

/** How long a row stays in sight before its name is read, in milliseconds: those that a scroll passes are not. */
const PASSING_MS = 120;

/** The name of a room by its id, or the id where there is none. The list is asked: it refuses no room that is gone. */
export function RoomName({ roomId }: { readonly roomId: string }) {
  const [stayed, setStayed] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setStayed(true), PASSING_MS);
    return () => clearTimeout(timer);
  }, []);
  const query = useRead('rooms.list', { search_term: roomId, limit: 1 }, { enabled: stayed });
  const room = query.data?.rooms.find((each) => each.room_id === roomId);
  return <bdi>{room?.name ?? room?.canonical_alias ?? roomId}</bdi>;
}
