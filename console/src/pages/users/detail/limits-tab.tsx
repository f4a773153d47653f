import { Badge, Box, NumberInput, Progress, Switch, Text } from '@mantine/core';
import type { GetRateLimitResponse, Quota } from '@steward/sdk';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useRead } from '../../../api/use-read.ts';
import { useFormat } from '../../../i18n/use-format.ts';
import { Fields } from '../../../ui/fields.tsx';
import { QueryState } from '../../../ui/query-state.tsx';
import { AccountOrderButton } from './account-order-button.tsx';
import { EditQuota } from './edit-quota.tsx';
import { PlainTable } from './plain-table.tsx';
import { isQuotaKind, QUOTA_KINDS } from './quota-kinds.ts';
import { Section } from './section.tsx';

interface OfUser {
  readonly userId: string;
}

/** What an account may use: its rate limit, its quotas, and experimental features. */
export function LimitsTab({ userId }: OfUser) {
  return (
    <>
      <RateLimit userId={userId} />
      <Quotas userId={userId} />
      <Features userId={userId} />
    </>
  );
}

function RateLimit({ userId }: OfUser) {
  const { t } = useTranslation('users');
  const query = useRead('users.getRateLimit', { user_id: userId });
  return (
    <Section
      title={t('limits.rate')}
      actions={
        query.data !== undefined && (
          <>
            <SetRateLimit userId={userId} present={query.data} />
            {query.data.messages_per_second !== undefined && (
              <AccountOrderButton
                userId={userId}
                operation="users.clearRateLimit"
                title={t('limits.clear')}
                consequences={[t('limits.clear_effect')]}
                params={{ user_id: userId }}
              />
            )}
          </>
        )
      }
    >
      <QueryState query={query} operation="users.getRateLimit">
        {({ messages_per_second: perSecond, burst_count: burst }) =>
          perSecond === undefined ? (
            <Text c="dimmed">{t('limits.rate_of_server')}</Text>
          ) : (
            <Fields
              fields={[
                [t('limits.per_second'), perSecond === 0 ? t('limits.unlimited') : perSecond],
                [t('limits.burst'), burst],
              ]}
            />
          )
        }
      </QueryState>
    </Section>
  );
}

interface SetRateLimitProps {
  readonly userId: string;
  readonly present: GetRateLimitResponse;
}

function SetRateLimit({ userId, present }: SetRateLimitProps) {
  const { t } = useTranslation('users');
  const [perSecond, setPerSecond] = useState<string | number>(present.messages_per_second ?? '');
  const [burst, setBurst] = useState<string | number>(present.burst_count ?? '');
  return (
    <AccountOrderButton
      userId={userId}
      operation="users.setRateLimit"
      title={t('limits.set')}
      consequences={[t('limits.set_effect')]}
      params={
        typeof perSecond === 'number' && typeof burst === 'number'
          ? { user_id: userId, messages_per_second: perSecond, burst_count: burst }
          : undefined
      }
    >
      <NumberInput
        label={t('limits.per_second')}
        description={t('limits.zero')}
        value={perSecond}
        onChange={setPerSecond}
        min={0}
        max={1_000_000}
        allowDecimal={false}
      />
      <NumberInput
        label={t('limits.burst')}
        value={burst}
        onChange={setBurst}
        min={0}
        max={1_000_000}
        allowDecimal={false}
      />
    </AccountOrderButton>
  );
}

function Quotas({ userId }: OfUser) {
  const { t } = useTranslation('users');
  const query = useRead('users.getQuotas', { user_id: userId });
  return (
    <Section title={t('limits.quotas')}>
      <QueryState query={query} operation="users.getQuotas">
        {({ quotas }) => (
          <PlainTable
            label={t('limits.quotas')}
            minWidth={620}
            head={[t('limits.kind'), t('limits.used'), t('limits.quota'), t('limits.of'), t('orders_of_row')]}
            rows={QUOTA_KINDS.filter((kind) => quotas[kind] !== undefined).map((kind) => {
              const quota = quotas[kind] as Quota;
              return [
                kind,
                [
                  t(`quota.${kind}`),
                  <Used key="used" kind={kind} quota={quota} />,
                  <Amount key="quota" kind={kind} amount={quota.quota} />,
                  <Badge key="own" variant="outline" tt="none" color={quota.own ? 'blue' : 'gray'}>
                    {quota.own ? t('limits.own') : t('limits.servers')}
                  </Badge>,
                  <EditQuota key="edit" userId={userId} kind={kind} quota={quota} />,
                ],
              ];
            })}
          />
        )}
      </QueryState>
    </Section>
  );
}

interface OfKind {
  readonly kind: string;
}

function Used({ kind, quota }: OfKind & { readonly quota: Quota }) {
  const { t } = useTranslation('users');
  const name = isQuotaKind(kind) ? t(`quota.${kind}`) : kind;
  return (
    <Box miw={120}>
      <Amount kind={kind} amount={quota.used} />
      {quota.quota > 0 && (
        <Progress
          value={Math.min(100, (quota.used / quota.quota) * 100)}
          color={quota.used >= quota.quota ? 'red' : undefined}
          size="sm"
          aria-label={name}
        />
      )}
    </Box>
  );
}

function Amount({ kind, amount }: OfKind & { readonly amount: number }) {
  const { t } = useTranslation('users');
  const format = useFormat();
  if (amount < 0) return t('limits.unlimited');
  return kind.endsWith('_bytes') ? format.bytes(amount) : format.number(amount);
}

function Features({ userId }: OfUser) {
  const { t } = useTranslation('users');
  const query = useRead('users.getExperimentalFeatures', { user_id: userId });
  const [changed, setChanged] = useState<Readonly<Record<string, boolean>>>({});
  return (
    <Section
      title={t('limits.features')}
      actions={
        query.data !== undefined && (
          <AccountOrderButton
            userId={userId}
            operation="users.setExperimentalFeatures"
            title={t('limits.change_features')}
            consequences={[t('limits.features_effect')]}
            params={Object.keys(changed).length === 0 ? undefined : { user_id: userId, features: changed }}
            onDone={() => setChanged({})}
          >
            {Object.entries(query.data.features).map(([name, enabled]) => (
              <Switch
                key={name}
                label={name}
                checked={changed[name] ?? enabled}
                onChange={(event) => setChanged({ ...changed, [name]: event.currentTarget.checked })}
              />
            ))}
          </AccountOrderButton>
        )
      }
    >
      <QueryState query={query} operation="users.getExperimentalFeatures">
        {({ features }) => (
          <Fields
            fields={Object.entries(features).map(([name, enabled]) => [
              name,
              enabled ? t('limits.on') : t('limits.off'),
            ])}
          />
        )}
      </QueryState>
    </Section>
  );
}
