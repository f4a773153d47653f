import { useTranslation } from 'react-i18next';
import { useRead } from '../../../api/use-read.ts';
import { OrderButton } from '../../../ui/order/order-button.tsx';

/** Blocks a room, or lifts its block. */
export function BlockButton({ roomId }: { readonly roomId: string }) {
  const { t } = useTranslation('rooms');
  const { data } = useRead('rooms.getBlock', { room_id: roomId });
  if (data === undefined) return null;
  return data.block ? (
    <OrderButton
      operation="rooms.putBlock"
      title={t('unblock')}
      consequences={[t('unblock_effect')]}
      params={{ room_id: roomId, block: false }}
    />
  ) : (
    <OrderButton
      operation="rooms.putBlock"
      title={t('block')}
      consequences={[t('block_effect_joins'), t('block_effect_members')]}
      params={{ room_id: roomId, block: true }}
    />
  );
}
