import { useTranslation } from 'react-i18next';
import { useCan } from '../../../api/use-can.ts';
import { RedactDialog } from './redact-dialog.tsx';
import { RoomBansDialog } from './room-bans-dialog.tsx';
import type { UserOrder } from './user-order.ts';

/** The orders about what a user, of this server or another, did in rooms. */
export function useRoomOrders(userId: string, local: boolean): readonly UserOrder[] {
  const { t } = useTranslation('users');
  const can = useCan();
  const orders: UserOrder[] = [];
  if (can('users.redact')) {
    orders.push({
      key: 'redact',
      text: t('orders.redact.title'),
      danger: true,
      changesAccount: false,
      dialog: (onClose) => <RedactDialog userId={userId} local={local} onClose={onClose} />,
    });
  }
  if (can('users.ban')) {
    orders.push({
      key: 'ban_everywhere',
      text: t('orders.ban_everywhere.title'),
      danger: true,
      changesAccount: false,
      dialog: (onClose) => <RoomBansDialog userId={userId} lift={false} onClose={onClose} />,
    });
  }
  if (can('users.unban')) {
    orders.push({
      key: 'unban_everywhere',
      text: t('orders.unban_everywhere.title'),
      changesAccount: false,
      dialog: (onClose) => <RoomBansDialog userId={userId} lift onClose={onClose} />,
    });
  }
  return orders;
}
