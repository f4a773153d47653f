import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { AccountOrderButton } from './account-order-button.tsx';

/** Sets when an account expires. */
export function SetValidity({ userId }: { readonly userId: string }) {
  const { t } = useTranslation('users');
  const [until, setUntil] = useState('');
  const ms = Date.parse(until);
  return (
    <AccountOrderButton
      userId={userId}
      operation="users.setValidity"
      title={t('orders.validity.title')}
      consequences={[t('orders.validity.effect')]}
      params={Number.isNaN(ms) ? undefined : { user_id: userId, expiration_ts: ms }}
      onDone={() => setUntil('')}
    >
      <TextInput
        label={t('orders.validity.until')}
        type="datetime-local"
        value={until}
        onChange={(event) => setUntil(event.currentTarget.value)}
        required
      />
    </AccountOrderButton>
  );
}
