import { Group, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../../api/use-can.ts';
import { useRead } from '../../../api/use-read.ts';
import { IdText } from '../../../ui/id-text.tsx';
import { ButtonLink } from '../../../ui/link.tsx';
import { DeletionList } from '../deletion/deletion-list.tsx';
import { BlockButton } from '../orders/block-button.tsx';
import { isRoomId } from '../room/is-room-id.ts';

/** A room that the server does not have: its block, and its deletions. */
export function UnknownRoom({ roomId }: { readonly roomId: string }) {
  const { t } = useTranslation('rooms');
  const can = useCan();
  const isId = isRoomId(roomId);
  const block = useRead('rooms.getBlock', { room_id: roomId }, { enabled: isId });
  return (
    <Stack gap="md" className="room-scroll">
      <IdText id={roomId} />
      <Text>{isId ? t('unknown_room_hint') : t('room_id_malformed')}</Text>
      {isId && block.data !== undefined && (
        <Text>{block.data.block ? t('unknown_room_blocked') : t('unknown_room_not_blocked')}</Text>
      )}
      <Group gap="xs">
        {isId && <BlockButton roomId={roomId} />}
        <ButtonLink to="/rooms" size="xs" variant="default">
          {t('to_list')}
        </ButtonLink>
      </Group>
      {isId && can('tasks.list') && <DeletionList roomId={roomId} />}
    </Stack>
  );
}
