import { Badge, Group, SegmentedControl, Text } from '@mantine/core';
import type { ListRegistrationTokensResponse, RegistrationToken } from '@steward/sdk';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useCursorRows } from '../../api/use-cursor-rows.ts';
import { useFormat } from '../../i18n/use-format.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { OrderButton } from '../../ui/order/order-button.tsx';
import type { Column } from '../../ui/table/column.ts';
import { DataTable } from '../../ui/table/data-table.tsx';
import { Time } from '../../ui/time.tsx';
import { CreateRegistrationToken, EditRegistrationToken } from './registration-token-form.tsx';

const rowsOf = (page: ListRegistrationTokensResponse) => page.registration_tokens;
const totalOf = (page: ListRegistrationTokensResponse) => page.registration_tokens.length;
/** The list has one page. */
const nextOf = () => undefined;
const idOf = ({ token }: RegistrationToken) => token;
/** Registrations change the uses, and are not events about the token. */
const REFRESH_MS = 10_000;

/** The tokens that let their holders create accounts. */
export function RegistrationTokens() {
  const { t } = useTranslation(['access', 'common']);
  const { valid } = useSearch({ from: '/access' });
  const navigate = useNavigate({ from: '/access' });
  const params = useMemo(() => (valid === undefined ? {} : { valid: valid === 'true' }), [valid]);
  const rows = useCursorRows('registrationTokens.list', params, {
    rowsOf,
    nextOf,
    totalOf,
    everyMs: REFRESH_MS,
  });
  const columns = useRegistrationTokenColumns();
  return (
    <>
      <Group justify="space-between" mb="sm">
        <SegmentedControl
          size="xs"
          aria-label={t('validity')}
          data={[
            { value: '', label: t('common:table.any') },
            { value: 'true', label: t('valid') },
            { value: 'false', label: t('invalid') },
          ]}
          value={String(valid ?? '')}
          onChange={(next) =>
            navigate({ search: (before) => ({ ...before, valid: next || undefined }), replace: true })
          }
        />
        <CreateRegistrationToken />
      </Group>
      <DataTable
        label={t('tab_registration')}
        columns={columns}
        rows={rows}
        idOf={idOf}
        empty={valid === undefined ? t('no_registration_tokens') : t('common:state.no_match')}
      />
    </>
  );
}

function useRegistrationTokenColumns(): readonly Column<RegistrationToken>[] {
  const { t } = useTranslation('access');
  const format = useFormat();
  return useMemo(
    () => [
      {
        id: 'token',
        header: t('registration_token'),
        width: 240,
        grow: 2,
        cell: ({ token }) => (
          <span className="cut">
            <code>{token}</code>
            <CopyButton text={token} />
          </span>
        ),
      },
      {
        id: 'valid',
        header: t('validity'),
        width: 120,
        grow: 0.5,
        cell: (token) => (
          <Badge variant="outline" tt="none" color={isValid(token) ? 'green' : 'gray'}>
            {t(isValid(token) ? 'valid' : 'invalid')}
          </Badge>
        ),
      },
      {
        id: 'uses',
        header: t('uses'),
        width: 130,
        cell: ({ completed, uses_allowed: allowed }) =>
          allowed === null
            ? t('uses_unlimited', { completed: format.number(completed) })
            : t('uses_of', { completed: format.number(completed), allowed: format.number(allowed) }),
      },
      {
        id: 'pending',
        header: t('pending'),
        width: 110,
        grow: 0.5,
        cell: ({ pending }) => format.number(pending),
      },
      {
        id: 'expires',
        header: t('expires'),
        width: 150,
        cell: ({ expiry_time: ms }) => (ms === null ? t('no_expiry') : <Time ms={ms} />),
      },
      {
        id: 'orders',
        header: t('orders'),
        width: 180,
        grow: 0.3,
        cell: (token) => (
          <Group gap="xs" wrap="nowrap">
            <EditRegistrationToken token={token} />
            <OrderButton
              operation="registrationTokens.delete"
              title={t('delete_registration_token')}
              text={t('delete')}
              consequences={[t('delete_registration_token_effect')]}
              params={{ token: token.token }}
              danger
              button={{ size: 'compact-xs' }}
            >
              <Text ff="monospace" style={{ overflowWrap: 'anywhere' }}>
                {token.token}
              </Text>
            </OrderButton>
          </Group>
        ),
      },
    ],
    [t, format],
  );
}

function isValid({
  uses_allowed: allowed,
  completed,
  pending,
  expiry_time: expiry,
}: RegistrationToken): boolean {
  return (allowed === null || completed + pending < allowed) && (expiry === null || expiry > Date.now());
}
