import { Textarea } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { OrderButton } from '../../../ui/order/order-button.tsx';
import type { Room } from '../room/use-room.ts';

/** Sends a notice into a room. */
export function NoticeButton({ room }: { readonly room: Room }) {
  const { t } = useTranslation('rooms');
  const [body, setBody] = useState('');
  return (
    <OrderButton
      operation="rooms.sendNotice"
      title={t('notice')}
      consequences={[
        t('notice_effect', { count: room.joined_members }),
        t('sender_effect'),
        ...(room.encryption === null ? [] : [t('notice_effect_plain')]),
      ]}
      params={body.trim() === '' ? undefined : { room_id: room.room_id, body }}
      onDone={() => setBody('')}
    >
      <Textarea
        label={t('notice_text')}
        value={body}
        onChange={(event) => setBody(event.currentTarget.value)}
        autosize
        minRows={3}
        maxRows={12}
        maxLength={20_000}
        data-autofocus
        required
      />
    </OrderButton>
  );
}
