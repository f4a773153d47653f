import type { UserUsage } from '@steward/sdk';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../i18n/use-format.ts';
import { Person } from '../../ui/faces/person.tsx';
import { TextLink } from '../../ui/link.tsx';
import type { Column } from '../../ui/table/column.ts';

/** The columns of the usage by user. */
export function useUsageColumns(): readonly Column<UserUsage>[] {
  const { t } = useTranslation('media');
  const format = useFormat();
  return useMemo<readonly Column<UserUsage>[]>(
    () => [
      {
        id: 'user_id',
        header: t('usage.user'),
        width: 220,
        grow: 2,
        sortKey: 'user_id',
        cell: ({ user_id: id }) => <Person id={id} />,
        csv: ({ user_id }) => user_id,
      },
      {
        id: 'displayname',
        header: t('usage.displayname'),
        width: 200,
        grow: 2,
        sortKey: 'displayname',
        cell: ({ displayname: name }) => <bdi title={name ?? undefined}>{name}</bdi>,
        csv: ({ displayname }) => displayname,
      },
      {
        id: 'media_count',
        header: t('usage.count'),
        width: 110,
        grow: 0.5,
        sortKey: 'media_count',
        cell: ({ media_count: count }) => format.number(count),
        csv: ({ media_count }) => media_count,
      },
      {
        id: 'media_length',
        header: t('usage.bytes'),
        width: 110,
        grow: 0.5,
        sortKey: 'media_length',
        cell: ({ media_length: bytes }) => format.bytes(bytes),
        csv: ({ media_length }) => media_length,
      },
      {
        id: 'inventory',
        header: t('usage.show'),
        width: 110,
        grow: 0.3,
        cell: ({ user_id: id }) => (
          <TextLink to="/media" search={{ user_id: id }} aria-label={`${t('usage.show')}: ${id}`}>
            {t('usage.show')}
          </TextLink>
        ),
      },
    ],
    [t, format],
  );
}
