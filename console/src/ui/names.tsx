import { useRoomName, useUserName } from '../api/use-names.ts';
import { titleOfRoom, titleOfUser } from './titles.ts';

interface OfId {
  readonly id: string;
}

/** The display name of a user, or the id where there is none, in a sentence. */
export function NameOfUser({ id }: OfId) {
  const user = useUserName(id);
  return <bdi title={id}>{titleOfUser(id, user)}</bdi>;
}

/** The name of a room, or its alias or id where there is none, in a sentence. */
export function NameOfRoom({ id }: OfId) {
  const room = useRoomName(id);
  return <bdi title={id}>{titleOfRoom(id, room)}</bdi>;
}
