import type { GetHierarchyResponse, HierarchyRoom } from '@steward/sdk';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useCursorRows } from '../../../api/use-cursor-rows.ts';
import { useFormat } from '../../../i18n/use-format.ts';
import { Room } from '../../../ui/faces/room.tsx';
import type { Column } from '../../../ui/table/column.ts';
import { DataTable } from '../../../ui/table/data-table.tsx';
import { Mark } from '../parts/mark.tsx';
import { SPACE } from '../room/room-type.ts';

const rowsOf = (page: GetHierarchyResponse) => page.rooms;
const nextOf = (page: GetHierarchyResponse) => page.next_batch;
const idOf = (room: HierarchyRoom) => room.room_id;
/** The server returns no more of a hierarchy at once. */
const PAGE_ROOMS = 50;

/** The rooms of a space and of the spaces in it, as far as the server knows them. */
export function HierarchyTab({ roomId }: { readonly roomId: string }) {
  const { t } = useTranslation('rooms');
  const { t: common } = useTranslation();
  const format = useFormat();
  const params = useMemo(() => ({ room_id: roomId }), [roomId]);
  const rows = useCursorRows('rooms.getHierarchy', params, { rowsOf, nextOf, limit: PAGE_ROOMS });
  const columns = useMemo<readonly Column<HierarchyRoom>[]>(
    () => [
      {
        id: 'room',
        header: t('room'),
        width: 240,
        grow: 2,
        cell: ({
          room_id: id,
          name = null,
          canonical_alias = null,
          avatar_url: avatar = null,
          room_type: type,
        }) => (
          <Room
            id={id}
            known={{ name, canonical_alias, avatar }}
            marks={type === SPACE && <Mark colour="violet">{t('space')}</Mark>}
          />
        ),
      },
      {
        id: 'members',
        header: t('members'),
        width: 100,
        grow: 0.3,
        cell: ({ num_joined_members: count }) => format.number(count),
      },
      {
        id: 'children',
        header: t('children'),
        width: 110,
        grow: 0.3,
        cell: ({ children_state: children, room_type: type }) =>
          type === SPACE ? format.number(children.length) : '',
      },
      {
        id: 'join_rule',
        header: t('join_rule'),
        width: 110,
        cell: ({ join_rule: rule }) => <bdi>{rule}</bdi>,
      },
      {
        id: 'world_readable',
        header: t('world_readable'),
        width: 140,
        cell: ({ world_readable: readable }) => (readable ? common('table.yes') : common('table.no')),
      },
      { id: 'topic', header: t('topic'), width: 240, grow: 2, cell: ({ topic }) => <bdi>{topic}</bdi> },
    ],
    [t, common, format],
  );
  return (
    <DataTable
      label={t('tab_hierarchy')}
      columns={columns}
      rows={rows}
      idOf={idOf}
      empty={common('state.empty')}
    />
  );
}
