import { Group, Stack, Text, Title } from '@mantine/core';
import type { AutomationToken } from '@steward/sdk';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../api/use-can.ts';
import { useRead } from '../../api/use-read.ts';
import { Fields } from '../../ui/fields.tsx';
import { IdText } from '../../ui/id-text.tsx';
import { TextLink } from '../../ui/link.tsx';
import { OrderButton } from '../../ui/order/order-button.tsx';
import { QueryState } from '../../ui/query-state.tsx';
import { ScopeList } from '../../ui/scopes/scope-list.tsx';
import { SecretDialog } from '../../ui/secret-dialog.tsx';
import { Time } from '../../ui/time.tsx';
import { type Duration, DurationField, msOf } from './duration-field.tsx';
import { Expiry } from './expiry.tsx';
import { Maker } from './maker.tsx';
import { useMayGive } from './use-may-give.ts';

interface TokenDetailsProps {
  readonly id: string;
  /** Called when the token was revoked. */
  readonly onGone: () => void;
}

/** One automation token: what it may do, from where, and its end. */
export function TokenDetails({ id, onGone }: TokenDetailsProps) {
  const query = useRead('tokens.get', { id });
  return (
    <QueryState query={query} operation="tokens.get">
      {(token) => <Details token={token} onGone={onGone} />}
    </QueryState>
  );
}

function Details({ token, onGone }: { readonly token: AutomationToken; readonly onGone: () => void }) {
  const { t } = useTranslation('access');
  const can = useCan();
  const mayGive = useMayGive();
  const { id, name, scopes, role, created_ts: created, created_by: maker, expires_ts: expires } = token;
  const { allowed_addresses: addresses, previous_secret_expires_ts: previous, last_used: use } = token;
  return (
    <Stack>
      <Title order={2} size="h4" style={{ overflowWrap: 'anywhere' }}>
        <bdi>{name}</bdi>
      </Title>
      {mayGive(scopes) && (
        <Group gap="xs">
          <RotateToken token={token} />
          <OrderButton
            operation="tokens.revoke"
            title={t('revoke_token')}
            text={t('revoke')}
            consequences={[t('revoke_token_effect')]}
            params={{ id }}
            onDone={onGone}
            danger
          />
        </Group>
      )}
      <Fields
        fields={[
          [t('id'), <IdText key="id" id={id} />],
          [t('role'), role ?? t('own_scopes')],
          [t('expires'), <Expiry key="expires" ms={expires} />],
          [t('addresses'), addresses.length === 0 ? t('all_addresses') : addresses.join(', ')],
          [t('last_used'), <Time key="used" ms={use?.ts} exact />],
          [t('from_address'), use?.address ?? '–'],
          [t('created'), <Time key="created" ms={created} exact />],
          [t('created_by'), <Maker key="maker" id={maker} />],
          ...(previous === null
            ? []
            : ([[t('previous_secret'), <Time key="previous" ms={previous} exact />]] as const)),
        ]}
      />
      {can('audit.list') && (
        <TextLink to="/audit" search={{ actor: `token:${id}` }} fz="sm">
          {t('token_audit')}
        </TextLink>
      )}
      <Title order={3} size="h5">
        {t('scopes')}
      </Title>
      {scopes.length === 0 ? <Text size="sm">{t('no_scopes')}</Text> : <ScopeList scopes={scopes} />}
    </Stack>
  );
}

const NO_OVERLAP: Duration = { amount: '', unit: 'hours' };

function RotateToken({ token: { id } }: { readonly token: AutomationToken }) {
  const { t } = useTranslation('access');
  const [overlap, setOverlap] = useState(NO_OVERLAP);
  const [secret, setSecret] = useState<string>();
  const overlapMs = msOf(overlap);
  return (
    <>
      <OrderButton
        operation="tokens.rotate"
        title={t('rotate_token')}
        text={t('rotate')}
        consequences={[overlapMs ? t('rotate_token_later') : t('rotate_token_effect')]}
        params={{ id, ...(overlapMs === undefined ? {} : { overlap_ms: overlapMs }) }}
        onDone={({ token }) => setSecret(token)}
        onClosed={() => setOverlap(NO_OVERLAP)}
      >
        <DurationField
          label={t('overlap')}
          description={t('overlap_token_hint')}
          value={overlap}
          onChange={setOverlap}
        />
      </OrderButton>
      <SecretDialog
        title={t('token_secret')}
        hint={t('token_secret_hint')}
        secrets={secret === undefined ? undefined : [secret]}
        onClose={() => setSecret(undefined)}
      />
    </>
  );
}
