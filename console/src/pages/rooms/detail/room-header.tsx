import { Group, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useRead } from '../../../api/use-read.ts';
import { IdText } from '../../../ui/id-text.tsx';
import { RoomLink, UserLink } from '../../../ui/links.tsx';
import { Mark } from '../parts/mark.tsx';
import { SPACE } from '../room/room-type.ts';
import type { Room } from '../room/use-room.ts';

/** The id of a room, and what matters about it at a glance. */
export function RoomHeader({ room }: { readonly room: Room }) {
  const { t } = useTranslation('rooms');
  const { room_id: roomId } = room;
  const block = useRead('rooms.getBlock', { room_id: roomId });
  const blocker = block.data?.user_id;
  return (
    <Group gap="xs" mb="sm" align="center">
      <IdText id={roomId} />
      {room.room_type === SPACE && <Mark colour="violet">{t('space')}</Mark>}
      {room.encryption !== null && <Mark colour="teal">{t('encrypted')}</Mark>}
      {room.public && <Mark colour="blue">{t('mark_public')}</Mark>}
      {block.data?.block === true && <Mark colour="red">{t('blocked')}</Mark>}
      {blocker !== undefined && (
        <Text size="sm">
          {t('blocked_by')} {blocker.startsWith('@') ? <UserLink id={blocker} /> : <bdi>{blocker}</bdi>}
        </Text>
      )}
      {room.tombstoned && <Mark colour="gray">{t('replaced')}</Mark>}
      {room.replacement_room !== null && (
        <Text size="sm">
          {t('replaced_by')} <RoomLink id={room.replacement_room} />
        </Text>
      )}
    </Group>
  );
}
