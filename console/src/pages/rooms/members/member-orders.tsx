import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { BulkDialog } from '../../../ui/order/bulk-dialog.tsx';
import { EventReason, UserOrderDialog } from '../orders/user-order-dialog.tsx';

/** The orders about members, and their operations. */
export const MEMBER_ORDERS = {
  kick: 'rooms.kickUser',
  ban: 'rooms.banUser',
  unban: 'rooms.unbanUser',
} as const;

/** An order about a member. */
export type MemberOrder = keyof typeof MEMBER_ORDERS;

/** An order that was chosen, and for whom: `undefined` asks for a user id. */
export interface ChosenOrder {
  readonly order: MemberOrder;
  readonly userIds: readonly string[] | undefined;
  /** Whether it was chosen for all that are selected. */
  readonly several: boolean;
}

const ORDERS = ['kick', 'ban', 'unban'] as const;

interface MemberOrderDialogsProps {
  readonly roomId: string;
  readonly chosen: ChosenOrder | undefined;
  /** `sent`: whether an order for several was sent. */
  readonly onClose: (sent: boolean) => void;
}

/** The dialogs of the orders about members. */
export function MemberOrderDialogs({ roomId, chosen, onClose }: MemberOrderDialogsProps) {
  const { t } = useTranslation('rooms');
  const [reason, setReason] = useState('');
  const close = (sent: boolean) => {
    setReason('');
    onClose(sent);
  };
  return ORDERS.map((order) => {
    const isChosen = chosen?.order === order;
    const consequences = [t(`member_effect_${order}`), t('sender_effect')];
    const paramsOf = (user_id: string, given: string | undefined) => ({
      room_id: roomId,
      user_id,
      ...(given ? { reason: given } : {}),
    });
    return (
      <div key={order}>
        <UserOrderDialog
          opened={isChosen && !chosen.several}
          onClose={() => close(false)}
          operation={MEMBER_ORDERS[order]}
          title={t(order)}
          consequences={consequences}
          userId={isChosen ? chosen.userIds?.[0] : undefined}
          withReason
          danger={order !== 'unban'}
          paramsOf={paramsOf}
        />
        <BulkDialog
          opened={isChosen && chosen.several}
          onClose={close}
          operation={MEMBER_ORDERS[order]}
          title={t(order)}
          consequences={consequences}
          danger={order !== 'unban'}
          ids={(isChosen && chosen.userIds) || []}
          paramsOf={(id) => paramsOf(id, reason.trim() || undefined)}
        >
          <EventReason value={reason} onChange={setReason} />
        </BulkDialog>
      </div>
    );
  });
}
