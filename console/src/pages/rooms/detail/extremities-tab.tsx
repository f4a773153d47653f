import { Group, Text } from '@mantine/core';
import type { ForwardExtremity } from '@steward/sdk';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useRead } from '../../../api/use-read.ts';
import { useFormat } from '../../../i18n/use-format.ts';
import { OrderButton } from '../../../ui/order/order-button.tsx';
import { QueryState } from '../../../ui/query-state.tsx';
import type { Column } from '../../../ui/table/column.ts';
import { DataTable } from '../../../ui/table/data-table.tsx';
import { Time } from '../../../ui/time.tsx';
import { rowsOfList } from '../parts/rows-of-list.ts';

const idOf = (extremity: ForwardExtremity) => extremity.event_id;

/** The events of a room that no other event follows: more than one slow the room down. */
export function ExtremitiesTab({ roomId }: { readonly roomId: string }) {
  const { t } = useTranslation('rooms');
  const format = useFormat();
  const query = useRead('rooms.listForwardExtremities', { room_id_or_alias: roomId });
  const columns = useMemo<readonly Column<ForwardExtremity>[]>(
    () => [
      {
        id: 'event',
        header: t('event_id'),
        width: 260,
        grow: 2,
        cell: ({ event_id: id }) => <bdi>{id}</bdi>,
      },
      { id: 'depth', header: t('depth'), width: 100, cell: ({ depth }) => format.number(depth) },
      {
        id: 'received',
        header: t('received'),
        width: 150,
        cell: ({ received_ts: ms }) => <Time ms={ms} />,
      },
    ],
    [t, format],
  );
  return (
    <QueryState query={query} operation="rooms.listForwardExtremities">
      {({ count, results }) => (
        <>
          <Group justify="space-between" mb="sm" gap="xs">
            <Text size="sm">{t('extremities_hint')}</Text>
            {count > 1 && (
              <OrderButton
                operation="rooms.deleteForwardExtremities"
                title={t('extremities_delete')}
                consequences={[t('extremities_delete_effect', { count: count - 1 })]}
                params={{ room_id_or_alias: roomId }}
                danger
              />
            )}
          </Group>
          <DataTable
            label={t('tab_extremities')}
            columns={columns}
            rows={rowsOfList(results)}
            idOf={idOf}
            empty={t('extremities_empty')}
          />
        </>
      )}
    </QueryState>
  );
}
