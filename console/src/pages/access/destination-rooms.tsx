import type { DestinationRoom, ListDestinationRoomsResponse } from '@steward/sdk';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useOffsetRows } from '../../api/use-offset-rows.ts';
import { RoomLink } from '../../ui/links.tsx';
import type { Column } from '../../ui/table/column.ts';
import { DataTable } from '../../ui/table/data-table.tsx';

const rowsOf = (page: ListDestinationRoomsResponse) => page.rooms;
const totalOf = (page: ListDestinationRoomsResponse) => page.total;
const idOf = (room: DestinationRoom) => room.room_id;

/** The rooms that are shared with another server. */
export function DestinationRooms({ destination }: { readonly destination: string }) {
  const { t } = useTranslation('access');
  const rows = useOffsetRows('federation.listDestinationRooms', { destination }, { rowsOf, totalOf });
  const columns = useMemo<readonly Column<DestinationRoom>[]>(
    () => [
      { id: 'room', header: t('shared_room'), width: 260, cell: ({ room_id: id }) => <RoomLink id={id} /> },
    ],
    [t],
  );
  return (
    <DataTable
      label={t('shared_rooms')}
      columns={columns}
      rows={rows}
      idOf={idOf}
      empty={t('no_shared_rooms')}
    />
  );
}
