import { Group, Text } from '@mantine/core';
import type { AutomationToken, ListAutomationTokensResponse } from '@steward/sdk';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useCursorRows } from '../../api/use-cursor-rows.ts';
import { TextLink } from '../../ui/link.tsx';
import { SidePanel } from '../../ui/side-panel.tsx';
import type { Column } from '../../ui/table/column.ts';
import { DataTable } from '../../ui/table/data-table.tsx';
import { Time } from '../../ui/time.tsx';
import { CreateToken } from './create-token.tsx';
import { Expiry } from './expiry.tsx';
import { Maker } from './maker.tsx';
import { TokenDetails } from './token-details.tsx';

const rowsOf = (page: ListAutomationTokensResponse) => page.tokens;
const nextOf = (page: ListAutomationTokensResponse) => page.next_token;
const totalOf = (page: ListAutomationTokensResponse) => page.total;
const idOf = (token: AutomationToken) => token.id;
/** The form of the ids: another text is refused. */
const TOKEN_ID = /^[0-9a-f]{28}$/;

/** The credentials of programs. */
export function Tokens() {
  const { t } = useTranslation('access');
  const { token } = useSearch({ from: '/access' });
  const navigate = useNavigate({ from: '/access' });
  const rows = useCursorRows('tokens.list', {}, { rowsOf, nextOf, totalOf });
  const columns = useTokenColumns();
  const opened = typeof token === 'string' && TOKEN_ID.test(token) ? token : undefined;
  const close = () => navigate({ search: (before) => ({ ...before, token: undefined }), replace: true });
  return (
    <>
      <Group justify="space-between" mb="sm">
        <Text size="sm">{t('tokens_hint')}</Text>
        <CreateToken />
      </Group>
      <DataTable label={t('tab_tokens')} columns={columns} rows={rows} idOf={idOf} empty={t('no_tokens')} />
      <SidePanel opened={opened !== undefined} onClose={close} title={t('token')}>
        {opened !== undefined && <TokenDetails id={opened} onGone={close} />}
      </SidePanel>
    </>
  );
}

function useTokenColumns(): readonly Column<AutomationToken>[] {
  const { t } = useTranslation('access');
  return useMemo(
    () => [
      {
        id: 'name',
        header: t('name'),
        width: 200,
        grow: 1.5,
        cell: ({ id, name }) => (
          <TextLink from="/access" search={(before) => ({ ...before, token: id })} resetScroll={false}>
            <bdi>{name}</bdi>
          </TextLink>
        ),
      },
      {
        id: 'rights',
        header: t('rights'),
        width: 200,
        cell: ({ role, scopes }) =>
          role === null ? t('scopes_count', { count: scopes.length }) : t('of_role', { role }),
      },
      {
        id: 'expires',
        header: t('expires'),
        width: 140,
        grow: 0.6,
        cell: ({ expires_ts: ms }) => <Expiry ms={ms} />,
      },
      {
        id: 'last_used',
        header: t('last_used'),
        width: 140,
        grow: 0.6,
        cell: ({ last_used: use }) => <Time ms={use?.ts} />,
      },
      {
        id: 'addresses',
        header: t('addresses'),
        width: 180,
        cell: ({ allowed_addresses: addresses }) =>
          addresses.length === 0 ? t('all_addresses') : addresses.join(', '),
      },
      {
        id: 'created',
        header: t('created'),
        width: 140,
        grow: 0.6,
        cell: ({ created_ts: ms }) => <Time ms={ms} />,
      },
      {
        id: 'created_by',
        header: t('created_by'),
        width: 180,
        cell: ({ created_by: by }) => <Maker id={by} />,
      },
    ],
    [t],
  );
}
