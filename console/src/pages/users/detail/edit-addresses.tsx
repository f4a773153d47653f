import type { User } from '@steward/sdk';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { AccountOrderButton } from './account-order-button.tsx';
import { areComplete, type Pair, PairsField } from './pairs-field.tsx';

const MEDIA = ['email', 'msisdn'];

/** Replaces the addresses of an account. */
export function EditAddresses({ user }: { readonly user: User }) {
  const { t } = useTranslation('users');
  const [changed, setChanged] = useState<readonly Pair[]>();
  const pairs = changed ?? user.threepids.map(({ medium, address }): Pair => [medium, address]);
  return (
    <AccountOrderButton
      userId={user.name}
      operation="users.put"
      furtherScopes={['users:credentials']}
      title={t('orders.edit_addresses.title')}
      text={t('edit')}
      consequences={[t('orders.edit_addresses.effect'), t('orders.edit_addresses.effect_moves')]}
      params={
        changed !== undefined && areComplete(changed)
          ? {
              user_id: user.name,
              threepids: changed.map(([medium, address]) => ({ medium, address: address.trim() })),
            }
          : undefined
      }
      onDone={() => setChanged(undefined)}
    >
      <PairsField labels={[t('medium'), t('address')]} choices={MEDIA} pairs={pairs} onChange={setChanged} />
    </AccountOrderButton>
  );
}
