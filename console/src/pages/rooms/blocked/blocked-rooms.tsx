import { Button, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { BlockedRoom, ListBlockedRoomsResponse } from '@steward/sdk';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../../api/use-can.ts';
import { useCursorRows } from '../../../api/use-cursor-rows.ts';
import { useFormat } from '../../../i18n/use-format.ts';
import { Person } from '../../../ui/faces/person.tsx';
import { Room } from '../../../ui/faces/room.tsx';
import { FilterBar } from '../../../ui/filters/filter-bar.tsx';
import { BulkDialog } from '../../../ui/order/bulk-dialog.tsx';
import { OrderButton } from '../../../ui/order/order-button.tsx';
import type { Column } from '../../../ui/table/column.ts';
import { ColumnsMenu } from '../../../ui/table/columns-menu.tsx';
import { DataTable } from '../../../ui/table/data-table.tsx';
import { ExportButton } from '../../../ui/table/export-button.tsx';
import { SelectionBar } from '../../../ui/table/selection-bar.tsx';
import { useColumns } from '../../../ui/table/use-columns.ts';
import { useSelection } from '../../../ui/table/use-selection.ts';
import { Time } from '../../../ui/time.tsx';

const rowsOf = (page: ListBlockedRoomsResponse) => page.rooms;
const nextOf = (page: ListBlockedRoomsResponse) => page.next_token;
const totalOf = (page: ListBlockedRoomsResponse) => page.total;
const idOf = (room: BlockedRoom) => room.room_id;

const BLOCKED = 'blocked_ts';

/** The rooms that are blocked, whether the server has them or not. */
export function BlockedRooms() {
  const { t } = useTranslation('rooms');
  const { t: common } = useTranslation();
  const format = useFormat();
  const can = useCan();
  const search = useSearch({ from: '/rooms' });
  const navigate = useNavigate({ from: '/rooms' });
  const selection = useSelection();
  const [unblocking, { open, close }] = useDisclosure();
  const dir = search.dir === 'b' ? 'b' : 'f';
  const params = useMemo(() => {
    const by = search.blocked_by;
    return { dir, ...(typeof by === 'string' ? { blocked_by: by } : {}) } as const;
  }, [dir, search]);
  const rows = useCursorRows('rooms.listBlocked', params, { rowsOf, nextOf, totalOf });
  const mayUnblock = can('rooms.putBlock');
  const columns = useMemo<readonly Column<BlockedRoom>[]>(
    () => [
      {
        id: 'room',
        header: t('room'),
        width: 220,
        grow: 2,
        csv: ({ room_id: id }) => id,
        cell: ({ room_id: id, name, canonical_alias }) => <Room id={id} known={{ name, canonical_alias }} />,
      },
      {
        id: 'room_id',
        header: t('room_id'),
        width: 200,
        hidden: true,
        cell: ({ room_id: id }) => <bdi>{id}</bdi>,
      },
      {
        id: 'exists',
        header: t('known'),
        width: 110,
        grow: 0.3,
        csv: ({ exists }) => exists,
        cell: ({ exists }) => (exists ? common('table.yes') : common('table.no')),
      },
      {
        id: 'blocked_by',
        header: t('blocked_by'),
        width: 180,
        csv: ({ user_id: user }) => user,
        cell: ({ user_id: user }) => (user.startsWith('@') ? <Person id={user} /> : <bdi>{user}</bdi>),
      },
      {
        id: 'blocked_ts',
        header: t('blocked_since'),
        width: 150,
        grow: 0.5,
        sortKey: BLOCKED,
        csv: ({ blocked_ts: ms }) => (ms === null ? null : new Date(ms).toISOString()),
        cell: ({ blocked_ts: ms }) => (ms === null ? t('blocked_unknown_time') : <Time ms={ms} />),
      },
      ...(mayUnblock
        ? [
            {
              id: 'orders',
              header: t('orders'),
              width: 130,
              grow: 0.3,
              cell: ({ room_id: id }: BlockedRoom) => (
                <OrderButton
                  operation="rooms.putBlock"
                  title={t('unblock')}
                  consequences={[id, t('unblock_effect')]}
                  params={{ room_id: id, block: false }}
                  button={{ size: 'compact-xs' }}
                />
              ),
            },
          ]
        : []),
    ],
    [t, common, mayUnblock],
  );
  const choice = useColumns('blocked-rooms', columns);
  return (
    <>
      <FilterBar
        filters={[
          { id: 'blocked_by', label: t('blocked_by'), kind: 'text', placeholder: t('blocked_by_hint') },
        ]}
        search={search}
        onChange={(change) => navigate({ search: (before) => ({ ...before, ...change }), replace: true })}
      >
        <ColumnsMenu columns={columns} choice={choice} />
        <ExportButton name="blocked-rooms" operation="rooms.listBlocked" params={params} columns={columns} />
        {rows.total !== undefined && (
          <Text size="sm" c="dimmed" role="status" style={{ alignSelf: 'center' }}>
            {common('table.total', { count: rows.total, formatted: format.number(rows.total) })}
          </Text>
        )}
      </FilterBar>
      <SelectionBar selection={selection} rows={rows} idOf={idOf}>
        <Button size="compact-sm" variant="default" onClick={open}>
          {t('unblock')}
        </Button>
      </SelectionBar>
      <DataTable
        label={t('tab_blocked')}
        columns={columns}
        rows={rows}
        idOf={idOf}
        choice={choice}
        // The most recent block comes first with `f`.
        sort={{ by: BLOCKED, dir: dir === 'f' ? 'b' : 'f' }}
        onSort={() =>
          navigate({ search: (before) => ({ ...before, dir: dir === 'f' ? 'b' : undefined }), replace: true })
        }
        selection={mayUnblock ? selection : undefined}
        empty={search.blocked_by === undefined ? t('blocked_empty') : common('state.no_match')}
      />
      <BulkDialog
        opened={unblocking}
        onClose={(sent) => {
          close();
          if (sent) selection.clear();
        }}
        operation="rooms.putBlock"
        title={t('unblock')}
        consequences={[t('unblock_effect')]}
        ids={selection.ids}
        paramsOf={(id) => ({ room_id: id, block: false })}
      />
    </>
  );
}
