import { Badge } from '@mantine/core';
import type { MediaHash } from '@steward/sdk';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { UserLink } from '../../ui/links.tsx';
import { OrderButton } from '../../ui/order/order-button.tsx';
import type { Column } from '../../ui/table/column.ts';
import { Time } from '../../ui/time.tsx';

/** The columns of the list of known-bad content. */
export function useHashColumns(): readonly Column<MediaHash>[] {
  const { t } = useTranslation('media');
  const { t: common } = useTranslation();
  return useMemo(
    () => [
      {
        id: 'sha256',
        header: t('sha256'),
        width: 220,
        grow: 2,
        cell: ({ sha256 }) => <span title={sha256}>{sha256}</span>,
        csv: ({ sha256 }) => sha256,
      },
      {
        id: 'action',
        header: t('hashes.action'),
        width: 120,
        grow: 0.3,
        cell: ({ action }) => (
          <Badge variant="outline" tt="none" color={action === 'refuse' ? 'red' : 'orange'}>
            {action === 'refuse' ? t('hashes.refuse') : t('hashes.quarantine')}
          </Badge>
        ),
        csv: ({ action }) => action,
      },
      {
        id: 'open_report',
        header: t('hashes.open_report'),
        width: 140,
        grow: 0.3,
        cell: ({ open_report: opens }) => (opens ? common('table.yes') : common('table.no')),
        csv: ({ open_report }) => open_report,
      },
      {
        id: 'source',
        header: t('hashes.source'),
        width: 140,
        cell: ({ source }) => <bdi title={source ?? undefined}>{source}</bdi>,
        csv: ({ source }) => source,
      },
      {
        id: 'note',
        header: t('hashes.note'),
        width: 160,
        cell: ({ note }) => <bdi title={note ?? undefined}>{note}</bdi>,
        csv: ({ note }) => note,
      },
      {
        id: 'added_ts',
        header: t('hashes.added'),
        width: 130,
        grow: 0.5,
        cell: ({ added_ts: ms }) => <Time ms={ms} />,
        csv: ({ added_ts }) => added_ts,
      },
      {
        id: 'added_by',
        header: t('hashes.added_by'),
        width: 170,
        hidden: true,
        cell: ({ added_by: by }) => (by.startsWith('@') ? <UserLink id={by} /> : <bdi>{by}</bdi>),
        csv: ({ added_by }) => added_by,
      },
      {
        id: 'last_match_ts',
        header: t('hashes.last_match'),
        width: 130,
        grow: 0.5,
        cell: ({ last_match_ts: ms }) => <Time ms={ms} />,
        csv: ({ last_match_ts }) => last_match_ts,
      },
      {
        id: 'orders',
        header: t('medium.orders'),
        width: 100,
        grow: 0,
        cell: ({ sha256 }) => (
          <OrderButton
            operation="mediaHashes.delete"
            title={t('hashes.delete_title')}
            text={t('hashes.delete')}
            consequences={[t('hashes.delete_effect'), t('hashes.delete_effect_media')]}
            params={{ sha256 }}
            danger
            button={{ size: 'compact-xs' }}
          />
        ),
      },
    ],
    [t, common],
  );
}
