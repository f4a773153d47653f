import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../../api/use-can.ts';
import { OrderDialog } from '../../../ui/order/order-dialog.tsx';

interface RoomBansDialogProps {
  readonly userId: string;
  /** Whether the bans are lifted. */
  readonly lift: boolean;
  readonly onClose: () => void;
}

/** Starts to ban a user from all rooms, or to lift these bans. */
export function RoomBansDialog({ userId, lift, onClose }: RoomBansDialogProps) {
  const { t } = useTranslation('users');
  const can = useCan();
  const navigate = useNavigate();
  const order = lift ? 'unban_everywhere' : 'ban_everywhere';
  return (
    <OrderDialog
      opened
      onClose={onClose}
      operation={lift ? 'users.unban' : 'users.ban'}
      title={t(`orders.${order}.title`)}
      danger={!lift}
      typeToConfirm={lift ? undefined : userId}
      consequences={[t(`orders.${order}.effect`), t('orders.ban_everywhere.effect_task')]}
      params={{ user_id: userId, rooms: 'all' }}
      onDone={({ task_id: taskId }) => {
        if (can('tasks.get')) void navigate({ to: '/tasks/$taskId', params: { taskId } });
      }}
    />
  );
}
