import type { User } from '@steward/sdk';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { AccountOrderButton } from './account-order-button.tsx';
import { areComplete, type Pair, PairsField } from './pairs-field.tsx';

/** Replaces the ids of an account at identity providers. */
export function EditExternalIds({ user }: { readonly user: User }) {
  const { t } = useTranslation('users');
  const [changed, setChanged] = useState<readonly Pair[]>();
  const pairs =
    changed ?? user.external_ids.map(({ auth_provider: provider, external_id: id }): Pair => [provider, id]);
  return (
    <AccountOrderButton
      userId={user.name}
      operation="users.put"
      furtherScopes={['users:credentials']}
      title={t('orders.edit_external_ids.title')}
      text={t('edit')}
      consequences={[t('orders.edit_external_ids.effect')]}
      params={
        changed !== undefined && areComplete(changed)
          ? {
              user_id: user.name,
              external_ids: changed.map(([provider, id]) => ({ auth_provider: provider, external_id: id })),
            }
          : undefined
      }
      onDone={() => setChanged(undefined)}
    >
      <PairsField labels={[t('provider'), t('external_id')]} pairs={pairs} onChange={setChanged} />
    </AccountOrderButton>
  );
}
