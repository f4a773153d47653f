import { Textarea } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Operation, Params } from '../../../client/operation.ts';
import { IdInput } from '../../../ui/input/id-input.tsx';
import { OrderDialog } from '../../../ui/order/order-dialog.tsx';
import { isUserId } from '../../../ui/user-id.ts';

interface UserOrderDialogProps<O extends Operation> {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly operation: O;
  readonly title: string;
  readonly consequences: readonly string[];
  /** The user whom the order concerns; asked for when unset. */
  readonly userId?: string | undefined;
  /** Whether the event has a reason, which the members of the room see. */
  readonly withReason?: boolean;
  readonly danger?: boolean;
  /** The parameters for a user, with the reason that the members see, if one is given. */
  readonly paramsOf: (userId: string, reason: string | undefined) => Params<O>;
}

/** An order in a room about a user. */
export function UserOrderDialog<O extends Operation>(props: UserOrderDialogProps<O>) {
  const { opened, onClose, operation, title, consequences, userId, withReason, danger, paramsOf } = props;
  const { t } = useTranslation('rooms');
  const [typed, setTyped] = useState('');
  const [reason, setReason] = useState('');
  const user = userId ?? typed;
  const close = () => {
    setTyped('');
    setReason('');
    onClose();
  };
  return (
    <OrderDialog
      opened={opened}
      onClose={close}
      operation={operation}
      title={title}
      danger={danger}
      consequences={userId === undefined ? consequences : [userId, ...consequences]}
      params={isUserId(user) ? paramsOf(user, reason.trim() || undefined) : undefined}
    >
      {userId === undefined && (
        <IdInput
          label={t('user_id')}
          placeholder="@user:example.org"
          value={typed}
          onValue={setTyped}
          error={user !== '' && !isUserId(user) ? t('user_id_malformed') : undefined}
          data-autofocus
          required
        />
      )}
      {withReason === true && <EventReason value={reason} onChange={setReason} />}
    </OrderDialog>
  );
}

interface EventReasonProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** The reason in an event, which the members of the room read. */
export function EventReason({ value, onChange }: EventReasonProps) {
  const { t } = useTranslation('rooms');
  return (
    <Textarea
      label={t('event_reason')}
      description={t('event_reason_hint')}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      maxLength={1_000}
      autosize
    />
  );
}
