import { Badge, Stack, Text } from '@mantine/core';
import type { Destination, ListDestinationsResponse } from '@steward/sdk';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useOffsetRows } from '../../api/use-offset-rows.ts';
import { TextLink } from '../../ui/link.tsx';
import { OrderButton } from '../../ui/order/order-button.tsx';
import { SidePanel } from '../../ui/side-panel.tsx';
import type { Column } from '../../ui/table/column.ts';
import { DataTable } from '../../ui/table/data-table.tsx';
import { Time } from '../../ui/time.tsx';
import { DestinationRooms } from './destination-rooms.tsx';

const rowsOf = (page: ListDestinationsResponse) => page.destinations;
const totalOf = (page: ListDestinationsResponse) => page.total;
const idOf = ({ destination }: Destination) => destination;

/** The servers that events are sent to, and whether they can be reached. */
export function Destinations() {
  const { t } = useTranslation('access');
  const { destination } = useSearch({ from: '/access' });
  const navigate = useNavigate({ from: '/access' });
  const rows = useOffsetRows('federation.listDestinations', {}, { rowsOf, totalOf });
  const columns = useMemo<readonly Column<Destination>[]>(
    () => [
      {
        id: 'destination',
        header: t('destination'),
        width: 240,
        grow: 2,
        cell: ({ destination: name }) => (
          <TextLink from="/access" search={(before) => ({ ...before, destination: name })}>
            <bdi>{name}</bdi>
          </TextLink>
        ),
      },
      {
        id: 'state',
        header: t('state'),
        width: 140,
        cell: ({ failure_ts: failure }) => (
          <Badge variant="outline" tt="none" color={failure === null ? 'green' : 'red'}>
            {t(failure === null ? 'reachable' : 'unreachable')}
          </Badge>
        ),
      },
      {
        id: 'since',
        header: t('unreachable_since'),
        width: 150,
        cell: ({ failure_ts: ms }) => ms !== null && <Time ms={ms} />,
      },
      {
        id: 'last',
        header: t('last_attempt'),
        width: 150,
        cell: ({ retry_last_ts: ms }) => ms > 0 && <Time ms={ms} />,
      },
      {
        id: 'orders',
        header: t('orders'),
        width: 150,
        cell: ({ destination: name, failure_ts: failure }) =>
          failure !== null && (
            <OrderButton
              operation="federation.resetConnection"
              title={t('reset_connection')}
              text={t('retry_now')}
              consequences={[t('reset_connection_effect')]}
              params={{ destination: name }}
              button={{ size: 'compact-xs' }}
            />
          ),
      },
    ],
    [t],
  );
  return (
    <>
      <Text size="sm" mb="sm">
        {t('federation_hint')}
      </Text>
      <DataTable
        label={t('tab_federation')}
        columns={columns}
        rows={rows}
        idOf={idOf}
        empty={t('no_destinations')}
      />
      <SidePanel
        opened={destination !== undefined}
        onClose={() =>
          navigate({ search: (before) => ({ ...before, destination: undefined }), replace: true })
        }
        title={<bdi>{String(destination)}</bdi>}
      >
        {destination !== undefined && (
          <Stack h="70vh">
            <DestinationRooms destination={String(destination)} />
          </Stack>
        )}
      </SidePanel>
    </>
  );
}
