import { Checkbox, Group, NumberInput, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../../api/use-can.ts';
import { OrderDialog } from '../../../ui/order/order-dialog.tsx';

interface RedactDialogProps {
  readonly userId: string;
  /** Whether the user is of this server, in whose name the redactions can be sent. */
  readonly local: boolean;
  readonly onClose: () => void;
}

const DEFAULT_LIMIT = 1_000;

/** Starts to redact what a user has sent in all rooms. */
export function RedactDialog({ userId, local, onClose }: RedactDialogProps) {
  const { t } = useTranslation('users');
  const can = useCan();
  const navigate = useNavigate();
  const [limit, setLimit] = useState<string | number>(DEFAULT_LIMIT);
  const [after, setAfter] = useState('');
  const [before, setBefore] = useState('');
  const [asAdmin, setAsAdmin] = useState(false);
  return (
    <OrderDialog
      opened
      onClose={onClose}
      operation="users.redact"
      title={t('orders.redact.title')}
      label={t('orders.redact.order')}
      danger
      typeToConfirm={userId}
      consequences={[
        t('orders.redact.effect'),
        t(local && !asAdmin ? 'orders.redact.effect_as_user' : 'orders.redact.effect_as_admin'),
        t('orders.redact.effect_task'),
      ]}
      params={
        typeof limit === 'number' && limit > 0
          ? {
              user_id: userId,
              rooms: [],
              limit,
              ...(local && asAdmin ? { use_admin: true } : {}),
              ...(after === '' ? {} : { after_ts: Date.parse(after) }),
              ...(before === '' ? {} : { before_ts: Date.parse(before) }),
            }
          : undefined
      }
      onDone={({ redact_id: taskId }) => {
        if (can('tasks.get')) void navigate({ to: '/tasks/$taskId', params: { taskId } });
      }}
    >
      <NumberInput
        label={t('orders.redact.limit')}
        value={limit}
        onChange={setLimit}
        min={1}
        max={1_000_000}
        allowDecimal={false}
      />
      <Group grow>
        <TextInput
          label={t('orders.redact.after')}
          type="datetime-local"
          value={after}
          onChange={(event) => setAfter(event.currentTarget.value)}
        />
        <TextInput
          label={t('orders.redact.before')}
          type="datetime-local"
          value={before}
          onChange={(event) => setBefore(event.currentTarget.value)}
        />
      </Group>
      {local && (
        <Checkbox
          label={t('orders.redact.as_admin')}
          checked={asAdmin}
          onChange={(event) => setAsAdmin(event.currentTarget.checked)}
        />
      )}
    </OrderDialog>
  );
}
