import { SegmentedControl, Select, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useRead } from '../../api/use-read.ts';
import { useMe } from '../../session/use-session.ts';
import { cleanText } from '../../ui/input/clean-text.ts';
import { OrderButton } from '../../ui/order/order-button.tsx';
import { ScopeChoice } from '../../ui/scopes/scope-choice.tsx';
import { SecretDialog } from '../../ui/secret-dialog.tsx';
import { type Duration, DurationField, msOf } from './duration-field.tsx';
import { LinesField, linesOf } from './lines-field.tsx';
import { useMayGive } from './use-may-give.ts';

const MAX_NAME = 128;

interface Draft {
  readonly name: string;
  readonly kind: 'scopes' | 'role';
  readonly scopes: readonly string[];
  readonly role: string | null;
  readonly expires: Duration;
  readonly addresses: string;
}

const EMPTY: Draft = {
  name: '',
  kind: 'scopes',
  scopes: [],
  role: null,
  expires: { amount: 90, unit: 'days' },
  addresses: '',
};

/** Makes an automation token, and shows its secret, once. */
export function CreateToken() {
  const { t } = useTranslation('access');
  const [draft, setDraft] = useState(EMPTY);
  const [secret, setSecret] = useState<string>();
  const { scopes: own } = useMe();
  const mayGive = useMayGive();
  const roles = useRead('roles.list', {});
  const { name, kind, scopes, role, expires, addresses } = draft;
  const change = (fields: Partial<Draft>) => setDraft((before) => ({ ...before, ...fields }));
  const rights =
    kind === 'scopes' ? (scopes.length > 0 ? { scopes } : undefined) : role === null ? undefined : { role };
  const lines = linesOf(addresses);
  const expiresIn = msOf(expires);
  return (
    <>
      <OrderButton
        operation="tokens.create"
        title={t('create_token')}
        consequences={[t('create_token_effect'), t('create_token_outlives')]}
        params={
          cleanText(name) === '' || rights === undefined || expiresIn === 0
            ? undefined
            : {
                name: cleanText(name),
                ...rights,
                ...(expiresIn === undefined ? {} : { expires_in_ms: expiresIn }),
                ...(lines.length === 0 ? {} : { allowed_addresses: lines }),
              }
        }
        onDone={({ token }) => setSecret(token)}
        onClosed={() => setDraft(EMPTY)}
        button={{ variant: 'filled' }}
      >
        <TextInput
          label={t('token_name')}
          description={t('token_name_hint')}
          value={name}
          onChange={(event) => change({ name: event.currentTarget.value })}
          maxLength={MAX_NAME}
          required
          data-autofocus
        />
        <Stack gap="xs">
          <SegmentedControl
            aria-label={t('rights')}
            data={[
              { value: 'scopes', label: t('with_scopes') },
              { value: 'role', label: t('with_role') },
            ]}
            value={kind}
            onChange={(next) => change({ kind: next as Draft['kind'] })}
          />
          {kind === 'scopes' ? (
            <ScopeChoice
              label={t('scopes')}
              scopes={own}
              chosen={scopes}
              onChange={(chosen) => change({ scopes: chosen })}
            />
          ) : (
            <>
              <Select
                label={t('role')}
                data={(roles.data?.roles ?? [])
                  .filter((each) => mayGive(each.scopes))
                  .map((each) => each.name)}
                value={role}
                onChange={(next) => change({ role: next })}
                required
              />
              <Text size="sm">{t('with_role_hint')}</Text>
            </>
          )}
        </Stack>
        <DurationField
          label={t('expires_in')}
          description={t('expires_in_hint')}
          value={expires}
          onChange={(next) => change({ expires: next })}
        />
        <LinesField
          label={t('addresses')}
          description={t('addresses_hint')}
          value={addresses}
          onChange={(next) => change({ addresses: next })}
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
