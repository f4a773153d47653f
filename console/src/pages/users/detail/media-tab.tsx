import { Badge, Group } from '@mantine/core';
import type { ListUserMediaResponse, UserMedia } from '@steward/sdk';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useOffsetRows } from '../../../api/use-offset-rows.ts';
import { useFormat } from '../../../i18n/use-format.ts';
import { BlurredMedia } from '../../../ui/blurred-media.tsx';
import { TextLink } from '../../../ui/link.tsx';
import { OrderButton } from '../../../ui/order/order-button.tsx';
import type { Column } from '../../../ui/table/column.ts';
import { ColumnsMenu } from '../../../ui/table/columns-menu.tsx';
import { DataTable, type Sort } from '../../../ui/table/data-table.tsx';
import { ExportButton } from '../../../ui/table/export-button.tsx';
import { useColumns } from '../../../ui/table/use-columns.ts';
import { Time } from '../../../ui/time.tsx';
import { serverOf } from '../../../ui/user-id.ts';
import { Section } from './section.tsx';
import { TableBox } from './table-box.tsx';

type MediaKey = 'upload_name' | 'created_ts' | 'last_access_ts' | 'media_length' | 'media_type';
const SORT_KEYS: readonly MediaKey[] = [
  'upload_name',
  'created_ts',
  'last_access_ts',
  'media_length',
  'media_type',
];
const THUMBNAIL_PX = 36;

const rowsOf = (page: ListUserMediaResponse) => page.media;
const totalOf = (page: ListUserMediaResponse) => page.total;
const idOf = (medium: UserMedia) => medium.media_id;

/** What a user of this server uploaded. */
export function MediaTab({ userId }: { readonly userId: string }) {
  const { t } = useTranslation('users');
  const search = useSearch({ from: '/users/$userId' });
  const navigate = useNavigate({ from: '/users/$userId' });
  const key = SORT_KEYS.find((each) => each === search.order_by) ?? 'created_ts';
  const sort: Sort = { by: key, dir: (search.dir ?? 'b') === 'f' ? 'f' : 'b' };
  const params = useMemo(() => ({ user_id: userId, order_by: key, dir: sort.dir }), [userId, key, sort.dir]);
  const rows = useOffsetRows('users.listMedia', params, { rowsOf, totalOf });
  const columns = useColumnsOfMedia(serverOf(userId));
  const choice = useColumns('user-media', columns);
  return (
    <Section
      title={t('tab.media')}
      actions={
        <>
          <ColumnsMenu columns={columns} choice={choice} />
          <ExportButton name="media-of-user" operation="users.listMedia" params={params} columns={columns} />
        </>
      }
    >
      <TableBox>
        <DataTable
          label={t('tab.media')}
          columns={columns}
          rows={rows}
          idOf={idOf}
          choice={choice}
          sort={sort}
          onSort={({ by, dir }) =>
            navigate({ search: (before) => ({ ...before, order_by: by, dir }), replace: true })
          }
          empty={t('media.none')}
        />
      </TableBox>
    </Section>
  );
}

function useColumnsOfMedia(serverName: string): readonly Column<UserMedia>[] {
  const { t } = useTranslation('users');
  const format = useFormat();
  return useMemo(
    () => [
      {
        id: 'media_id',
        header: t('media.medium'),
        width: 260,
        grow: 2,
        sortKey: 'upload_name',
        cell: (medium) => (
          <Group gap="xs" wrap="nowrap">
            <BlurredMedia
              serverName={serverName}
              mediaId={medium.media_id}
              width={THUMBNAIL_PX}
              height={THUMBNAIL_PX}
              alt={medium.upload_name ?? medium.media_id}
              known={medium}
            />
            <TextLink to="/media/$serverName/$mediaId" params={{ serverName, mediaId: medium.media_id }}>
              <bdi>{medium.upload_name ?? medium.media_id}</bdi>
            </TextLink>
          </Group>
        ),
        csv: ({ media_id: id }) => `mxc://${serverName}/${id}`,
      },
      {
        id: 'media_type',
        header: t('media.type'),
        width: 130,
        grow: 0.5,
        sortKey: 'media_type',
        cell: ({ media_type: type }) => <bdi>{type}</bdi>,
        csv: ({ media_type: type }) => type,
      },
      {
        id: 'media_length',
        header: t('media.size'),
        width: 110,
        grow: 0.4,
        sortKey: 'media_length',
        cell: ({ media_length: bytes }) => format.bytes(bytes),
        csv: ({ media_length: bytes }) => bytes,
      },
      {
        id: 'created_ts',
        header: t('media.uploaded'),
        width: 130,
        grow: 0.5,
        sortKey: 'created_ts',
        cell: ({ created_ts: ms }) => <Time ms={ms} />,
        csv: ({ created_ts: ms }) => new Date(ms).toISOString(),
      },
      {
        id: 'last_access_ts',
        header: t('media.downloaded'),
        width: 130,
        grow: 0.5,
        sortKey: 'last_access_ts',
        hidden: true,
        cell: ({ last_access_ts: ms }) => <Time ms={ms} />,
        csv: ({ last_access_ts: ms }) => (ms === null ? null : new Date(ms).toISOString()),
      },
      {
        id: 'state',
        header: t('states'),
        width: 150,
        grow: 0.5,
        cell: ({ quarantined_by: by, safe_from_quarantine: safe }) => (
          <Group gap={4} wrap="nowrap">
            {by !== null && (
              <Badge variant="outline" color="red" size="sm" tt="none" title={by}>
                {t('media.quarantined')}
              </Badge>
            )}
            {safe && (
              <Badge variant="outline" color="green" size="sm" tt="none">
                {t('media.protected')}
              </Badge>
            )}
          </Group>
        ),
        csv: ({ quarantined_by: by }) => by,
      },
      {
        id: 'orders',
        header: t('orders_of_row'),
        width: 220,
        grow: 0.5,
        cell: (medium) => <OrdersOfMedium serverName={serverName} medium={medium} />,
      },
    ],
    [t, format, serverName],
  );
}

interface OrdersOfMediumProps {
  readonly serverName: string;
  readonly medium: UserMedia;
}

function OrdersOfMedium({ serverName, medium }: OrdersOfMediumProps) {
  const { t } = useTranslation('users');
  const params = { server_name: serverName, media_id: medium.media_id };
  return (
    <Group gap="xs" wrap="nowrap">
      {medium.quarantined_by !== null ? (
        <OrderButton
          operation="media.unquarantine"
          title={t('media.release')}
          consequences={[t('media.release_effect')]}
          params={params}
          button={{ size: 'compact-xs' }}
        />
      ) : (
        !medium.safe_from_quarantine && (
          <OrderButton
            operation="media.quarantine"
            title={t('media.quarantine')}
            consequences={[t('media.quarantine_effect')]}
            params={params}
            danger
            button={{ size: 'compact-xs' }}
          />
        )
      )}
      <OrderButton
        operation="media.delete"
        title={t('media.delete')}
        consequences={[t('media.delete_effect')]}
        params={params}
        danger
        button={{ size: 'compact-xs' }}
      />
    </Group>
  );
}
