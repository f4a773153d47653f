import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { IdInput } from '../../../ui/input/id-input.tsx';
import { OrderButton } from '../../../ui/order/order-button.tsx';
import { isRoomId } from '../room/is-room-id.ts';

/** Blocks a room by its id, also one that the server does not know yet. */
export function BlockRoomButton() {
  const { t } = useTranslation('rooms');
  const [roomId, setRoomId] = useState('');
  return (
    <OrderButton
      operation="rooms.putBlock"
      title={t('block_by_id')}
      label={t('block')}
      consequences={[t('block_effect_joins'), t('block_effect_members'), t('block_effect_unknown')]}
      params={isRoomId(roomId) ? { room_id: roomId, block: true } : undefined}
      onDone={() => setRoomId('')}
    >
      <IdInput
        label={t('room_id')}
        placeholder="!id:example.org"
        value={roomId}
        onValue={setRoomId}
        error={roomId !== '' && !isRoomId(roomId) ? t('room_id_malformed') : undefined}
        data-autofocus
        required
      />
    </OrderButton>
  );
}
