import { Button, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ListUsersResponse, UserListEntry } from '@steward/sdk';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { UserPlus } from 'lucide-react';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../api/use-can.ts';
import { useOffsetRows } from '../../api/use-offset-rows.ts';
import { useFormat } from '../../i18n/use-format.ts';
import { FilterBar } from '../../ui/filters/filter-bar.tsx';
import { ViewsMenu } from '../../ui/filters/views-menu.tsx';
import { Page } from '../../ui/page.tsx';
import { Note } from '../../ui/query-state.tsx';
import { ColumnsMenu } from '../../ui/table/columns-menu.tsx';
import { DataTable } from '../../ui/table/data-table.tsx';
import { ExportButton } from '../../ui/table/export-button.tsx';
import { useColumns } from '../../ui/table/use-columns.ts';
import { useSelection } from '../../ui/table/use-selection.ts';
import { CreateUserDialog } from './create-user-dialog.tsx';
import { SelectionOrders } from './selection-orders.tsx';
import { useUserFilterFields } from './use-user-filter-fields.ts';
import { useUserColumns } from './user-columns.tsx';
import { userParamsOf, userSortOf } from './user-filters.ts';

const rowsOf = (page: ListUsersResponse) => page.users;
const totalOf = (page: ListUsersResponse) => page.total;
const idOf = (user: UserListEntry) => user.name;

/** The accounts of this server, any number of them. */
export function UsersPage() {
  const { t } = useTranslation('users');
  const can = useCan();
  const [creating, { open, close }] = useDisclosure();
  return (
    <Page
      title={t('title')}
      fill
      actions={
        can('users.put') && (
          <Button size="xs" leftSection={<UserPlus size={16} aria-hidden />} onClick={open}>
            {t('create.title')}
          </Button>
        )
      }
    >
      {can('users.list') ? <UserList /> : <Note>{t('not_permitted')}</Note>}
      <CreateUserDialog opened={creating} onClose={close} />
    </Page>
  );
}

function UserList() {
  const { t } = useTranslation('users');
  const { t: common } = useTranslation();
  const format = useFormat();
  const can = useCan();
  const search = useSearch({ from: '/users' });
  const navigate = useNavigate({ from: '/users' });
  const mayReadRoles = can('roles.list');
  const params = useMemo(() => userParamsOf(search, mayReadRoles), [search, mayReadRoles]);
  const rows = useOffsetRows('users.list', params, { rowsOf, totalOf });
  const filters = useUserFilterFields(mayReadRoles);
  const columns = useUserColumns();
  const choice = useColumns('users', columns);
  const selection = useSelection();
  const isFiltered = Object.keys(search).length > 0;
  return (
    <>
      <FilterBar
        filters={filters}
        search={search}
        onChange={(change) => navigate({ search: (before) => ({ ...before, ...change }), replace: true })}
      >
        <ViewsMenu page="users" search={search} onOpen={(saved) => navigate({ search: saved })} />
        <ColumnsMenu columns={columns} choice={choice} />
        <ExportButton name="users" operation="users.list" params={params} columns={columns} />
        {rows.total !== undefined && (
          <Text size="sm" c="dimmed" role="status" style={{ alignSelf: 'center' }}>
            {common('table.total', { count: rows.total, formatted: format.number(rows.total) })}
          </Text>
        )}
      </FilterBar>
      <SelectionOrders
        selection={selection}
        rows={rows}
        idOf={idOf}
        approvals={rows.at(0)?.approved !== undefined}
      />
      <DataTable
        label={t('title')}
        columns={columns}
        rows={rows}
        idOf={idOf}
        choice={choice}
        sort={userSortOf(search)}
        onSort={({ by, dir }) =>
          navigate({ search: (before) => ({ ...before, order_by: by, dir }), replace: true })
        }
        selection={can('users.suspend') ? selection : undefined}
        empty={isFiltered ? common('state.no_match') : t('empty')}
      />
    </>
  );
}
