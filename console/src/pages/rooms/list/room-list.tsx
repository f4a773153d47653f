import { Alert, Text } from '@mantine/core';
import type { ListRoomsResponse, RoomListEntry } from '@steward/sdk';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../../api/use-can.ts';
import { useOffsetRows } from '../../../api/use-offset-rows.ts';
import { useFormat } from '../../../i18n/use-format.ts';
import { type Filter, paramsOf, type Search } from '../../../ui/filters/filter.ts';
import { FilterBar } from '../../../ui/filters/filter-bar.tsx';
import { ViewsMenu } from '../../../ui/filters/views-menu.tsx';
import { ColumnsMenu } from '../../../ui/table/columns-menu.tsx';
import { DataTable } from '../../../ui/table/data-table.tsx';
import { ExportButton } from '../../../ui/table/export-button.tsx';
import { useColumns } from '../../../ui/table/use-columns.ts';
import { useSelection } from '../../../ui/table/use-selection.ts';
import { RoomBulkOrders } from './room-bulk-orders.tsx';
import { useRoomColumns } from './room-columns.tsx';
import { problemOf, ROOM_FILTERS } from './room-filters.ts';
import { nextOrder, orderOf, shownSort } from './room-sort.ts';

const JOIN_RULES = ['public', 'invite', 'knock', 'restricted', 'knock_restricted', 'private'];

const rowsOf = (page: ListRoomsResponse) => page.rooms;
const totalOf = (page: ListRoomsResponse) => page.total_rooms;
const idOf = (room: RoomListEntry) => room.room_id;

/** The rooms of the server: filtered, sorted, and selected for orders. */
export function RoomList() {
  const { t } = useTranslation('rooms');
  const search = useSearch({ from: '/rooms' });
  const navigate = useNavigate({ from: '/rooms' });
  const filters = useFilters();
  const problem = problemOf(search);
  const change = (part: Search) => navigate({ search: (before) => ({ ...before, ...part }), replace: true });
  if (problem === undefined) return <PermittedList search={search} filters={filters} onChange={change} />;
  return (
    <>
      <FilterBar filters={filters} search={search} onChange={change} />
      <Alert color="orange" variant="outline" role="status">
        {t(problem)}
      </Alert>
    </>
  );
}

interface PermittedListProps {
  readonly search: Search;
  readonly filters: readonly Filter[];
  readonly onChange: (change: Search) => void;
}

function PermittedList({ search, filters, onChange }: PermittedListProps) {
  const { t } = useTranslation('rooms');
  const { t: common } = useTranslation();
  const format = useFormat();
  const can = useCan();
  const navigate = useNavigate({ from: '/rooms' });
  const selection = useSelection();
  const order = orderOf(search);
  const { order_by, dir } = order;
  const asked = useMemo(() => paramsOf(ROOM_FILTERS, search), [search]);
  const params = useMemo(() => ({ ...asked, details: true, order_by, dir }) as const, [asked, order_by, dir]);
  const rows = useOffsetRows('rooms.list', params, { rowsOf, totalOf });
  const columns = useRoomColumns();
  const choice = useColumns('rooms', columns);
  const maySelect = can('rooms.putBlock') || can('rooms.beginDeletion');
  return (
    <>
      <FilterBar filters={filters} search={search} onChange={onChange}>
        <ViewsMenu page="rooms" search={search} onOpen={(saved) => navigate({ search: saved })} />
        <ColumnsMenu columns={columns} choice={choice} />
        <ExportButton name="rooms" operation="rooms.list" params={params} columns={columns} />
        {rows.total !== undefined && (
          <Text size="sm" c="dimmed" role="status" style={{ alignSelf: 'center' }}>
            {common('table.total', { count: rows.total, formatted: format.number(rows.total) })}
          </Text>
        )}
      </FilterBar>
      <RoomBulkOrders selection={selection} rows={rows} />
      <DataTable
        label={t('title')}
        columns={columns}
        rows={rows}
        idOf={idOf}
        choice={choice}
        sort={shownSort(order)}
        onSort={({ by }) => onChange({ ...nextOrder(order, by) })}
        selection={maySelect ? selection : undefined}
        empty={Object.keys(asked).length === 0 ? t('empty') : common('state.no_match')}
      />
    </>
  );
}

function useFilters(): readonly Filter[] {
  const { t } = useTranslation('rooms');
  return useMemo(
    () => [
      { id: 'search_term', label: t('search'), kind: 'text', placeholder: t('search_hint') },
      { id: 'encrypted', label: t('filter_encrypted'), kind: 'flag' },
      { id: 'blocked', label: t('filter_blocked'), kind: 'flag' },
      { id: 'public_rooms', label: t('filter_public'), kind: 'flag' },
      { id: 'empty_rooms', label: t('filter_empty'), kind: 'flag' },
      { id: 'tombstoned', label: t('filter_tombstoned'), kind: 'flag' },
      {
        id: 'join_rule',
        label: t('join_rule'),
        kind: 'choice',
        options: JOIN_RULES.map((value) => ({ value, label: value })),
      },
      { id: 'members_min', label: t('filter_members_min'), kind: 'number' },
      { id: 'members_max', label: t('filter_members_max'), kind: 'number' },
      { id: 'last_activity_after', label: t('filter_active_after'), kind: 'time' },
      { id: 'last_activity_before', label: t('filter_active_before'), kind: 'time' },
      { id: 'creator', label: t('creator'), kind: 'text', placeholder: '@user:example.org' },
      { id: 'alias', label: t('filter_alias'), kind: 'text', placeholder: '#room:example.org' },
      { id: 'alias_contains', label: t('filter_alias_contains'), kind: 'text' },
      { id: 'space', label: t('filter_space'), kind: 'text', placeholder: '!space:example.org' },
      { id: 'version', label: t('version'), kind: 'text' },
      { id: 'encryption', label: t('filter_encryption'), kind: 'text', placeholder: 'm.megolm.v1.aes-sha2' },
    ],
    [t],
  );
}
