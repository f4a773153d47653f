import { Select } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../i18n/use-format.ts';
import { OrderDialog } from '../../../ui/order/order-dialog.tsx';
import { SecretDialog } from '../../../ui/secret-dialog.tsx';

interface LoginAsDialogProps {
  readonly userId: string;
  readonly onClose: () => void;
}

const MINUTE_MS = 60_000;
const LENGTHS_MS = [15 * MINUTE_MS, 60 * MINUTE_MS, 8 * 60 * MINUTE_MS, 24 * 60 * MINUTE_MS];

/** Creates a token with which the reader acts as the user, and shows it once. */
export function LoginAsDialog({ userId, onClose }: LoginAsDialogProps) {
  const { t } = useTranslation('users');
  const format = useFormat();
  const [lengthMs, setLengthMs] = useState(60 * MINUTE_MS);
  const [asking, setAsking] = useState(true);
  const [token, setToken] = useState<string>();
  // Fixed when the dialog opens, so that the parameters do not change while the order is sent.
  const [openedMs] = useState(Date.now);
  const endMs = openedMs + lengthMs;
  useEffect(() => {
    if (!asking && token === undefined) onClose();
  }, [asking, token, onClose]);
  if (token !== undefined) {
    return (
      <SecretDialog
        title={t('orders.login_as.secret')}
        hint={t('orders.login_as.hint', { time: format.dateTime(endMs) })}
        secrets={[token]}
        onClose={onClose}
      />
    );
  }
  return (
    <OrderDialog
      opened={asking}
      // It closes itself when the order is done as well; the token is shown after that.
      onClose={() => setAsking(false)}
      operation="users.loginAs"
      title={t('orders.login_as.title')}
      label={t('orders.login_as.order')}
      danger
      consequences={[
        t('orders.login_as.effect'),
        t('orders.login_as.effect_seen'),
        t('orders.login_as.effect_end'),
      ]}
      params={{ user_id: userId, valid_until_ms: endMs }}
      onDone={({ access_token: accessToken }) => setToken(accessToken)}
    >
      <Select
        label={t('orders.login_as.length')}
        data={LENGTHS_MS.map((ms) => ({ value: String(ms), label: format.duration(ms) }))}
        value={String(lengthMs)}
        onChange={(value) => setLengthMs(Number(value ?? 60 * MINUTE_MS))}
        allowDeselect={false}
      />
    </OrderDialog>
  );
}
