import { NumberInput, Radio, Stack } from '@mantine/core';
import type { Quota } from '@steward/sdk';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Params } from '../../../client/operation.ts';
import { AccountOrderButton } from './account-order-button.tsx';
import type { QuotaKind } from './quota-kinds.ts';

interface EditQuotaProps {
  readonly userId: string;
  readonly kind: QuotaKind;
  readonly quota: Quota;
}

const UNLIMITED = -1;

/** Gives a user a quota of their own, no limit, or the server's quota again. */
export function EditQuota({ userId, kind, quota }: EditQuotaProps) {
  const { t } = useTranslation('users');
  const [whose, setWhose] = useState<string>();
  const [amount, setAmount] = useState<string | number>();
  const reset = () => {
    setWhose(undefined);
    setAmount(undefined);
  };
  const present = !quota.own ? 'server' : quota.quota === UNLIMITED ? 'unlimited' : 'own';
  const chosen = whose ?? present;
  const given = amount ?? (quota.quota === UNLIMITED ? '' : quota.quota);
  const value =
    chosen === 'server'
      ? null
      : chosen === 'unlimited'
        ? UNLIMITED
        : typeof given === 'number'
          ? given
          : undefined;
  const params =
    value === undefined ? undefined : ({ user_id: userId, [kind]: value } as Params<'users.setQuotas'>);
  return (
    <AccountOrderButton
      userId={userId}
      operation="users.setQuotas"
      title={`${t('limits.change_quota')}: ${t(`quota.${kind}`)}`}
      text={t('edit')}
      consequences={[t('limits.quota_effect')]}
      params={params}
      button={{ size: 'compact-xs' }}
      onDone={reset}
    >
      <Radio.Group label={t('limits.of')} value={chosen} onChange={setWhose}>
        <Stack gap="xs" mt="xs">
          <Radio value="server" label={t('limits.servers')} />
          <Radio value="own" label={t('limits.own')} />
          <Radio value="unlimited" label={t('limits.unlimited')} />
        </Stack>
      </Radio.Group>
      {chosen === 'own' && (
        <NumberInput
          label={kind.endsWith('_bytes') ? t('limits.bytes') : t('limits.quota')}
          value={given}
          onChange={setAmount}
          min={0}
          max={Number.MAX_SAFE_INTEGER}
          allowDecimal={false}
          thousandSeparator=" "
        />
      )}
    </AccountOrderButton>
  );
}
