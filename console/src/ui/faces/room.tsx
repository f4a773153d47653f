import type { RoomName as Named } from '@steward/sdk';
import type { ReactNode } from 'react';
import { useRoomName } from '../../api/use-names.ts';
import { RoomLink } from '../links.tsx';
import { titleOfRoom } from '../titles.ts';
import { Avatar } from './avatar.tsx';
import { Face } from './face.tsx';

interface RoomProps {
  readonly id: string;
  /** Its name, where the page knows it; looked up when unset. */
  readonly known?: Pick<Named, 'name' | 'canonical_alias'> & { readonly avatar?: string | null };
  /** What is said of it next to its name. */
  readonly marks?: ReactNode;
}

/** A room with its picture and name, as a link to its page if the reader may open it. */
export function Room({ id, known, marks }: RoomProps) {
  const found = useRoomName(id, known === undefined);
  const room = known ?? found;
  const name = titleOfRoom(id, room);
  return (
    <RoomLink id={id}>
      <Face
        avatar={<Avatar square uri={room?.avatar} name={name.replace(/^[!#]/, '')} />}
        name={name}
        id={name === id ? undefined : (room?.canonical_alias ?? id)}
        marks={marks}
      />
    </RoomLink>
  );
}
