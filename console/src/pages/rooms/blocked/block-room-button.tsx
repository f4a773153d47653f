import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { OrderButton } from '../../../ui/order/order-button.tsx';
import { isRoomId } from '../room/is-room-id.ts';

/** Blocks a room by its id, also one that the server does not know yet. */
export function BlockRoomButton() {
  const { t } = useTranslation('rooms');
  const [roomId, setRoomId] = useState('');
  const given = roomId.trim();
  return (
    <OrderButton
      operation="rooms.putBlock"
      title={t('block_by_id')}
      label={t('block')}
      consequences={[t('block_effect_joins'), t('block_effect_members'), t('block_effect_unknown')]}
      params={isRoomId(given) ? { room_id: given, block: true } : undefined}
      onDone={() => setRoomId('')}
    >
      <TextInput
        label={t('room_id')}
        placeholder="!id:example.org"
        value={roomId}
        onChange={(event) => setRoomId(event.currentTarget.value)}
        error={given !== '' && !isRoomId(given) ? t('room_id_malformed') : undefined}
        autoComplete="off"
        spellCheck={false}
        data-autofocus
        required
      />
    </OrderButton>
  );
}
