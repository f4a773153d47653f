import { Group, Text } from '@mantine/core';
import type { InventoryMedia } from '@steward/sdk';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../i18n/use-format.ts';
import { BlurredMedia } from '../../ui/blurred-media.tsx';
import { Person } from '../../ui/faces/person.tsx';
import { MediaLink, UserLink } from '../../ui/links.tsx';
import type { Column } from '../../ui/table/column.ts';
import { Time } from '../../ui/time.tsx';
import { MediaBadges } from './media-badges.tsx';

const THUMBNAIL_PX = 36;

/** The columns of the inventory. */
export function useMediaColumns(revealed: boolean): readonly Column<InventoryMedia>[] {
  const { t } = useTranslation('media');
  const { t: common } = useTranslation();
  const format = useFormat();
  return useMemo(() => {
    const flag = (value: boolean) => (value ? common('table.yes') : common('table.no'));
    return [
      {
        id: 'upload_name',
        header: t('name'),
        width: 184,
        grow: 2,
        cell: (media) => (
          <Group gap="xs" wrap="nowrap">
            <BlurredMedia
              serverName={media.origin}
              mediaId={media.media_id}
              width={THUMBNAIL_PX}
              height={THUMBNAIL_PX}
              alt={media.upload_name ?? media.media_id}
              known={media}
              revealed={revealed}
            />
            <Text span truncate inherit title={media.upload_name ?? undefined}>
              <MediaLink serverName={media.origin} mediaId={media.media_id}>
                <bdi>{media.upload_name ?? media.media_id}</bdi>
              </MediaLink>
            </Text>
          </Group>
        ),
        csv: ({ upload_name }) => upload_name,
      },
      {
        id: 'media_type',
        header: t('type'),
        width: 100,
        cell: ({ media_type }) => <bdi title={media_type}>{media_type}</bdi>,
        csv: ({ media_type }) => media_type,
      },
      {
        id: 'media_length',
        header: t('size'),
        width: 85,
        grow: 0.3,
        sortKey: 'media_length',
        cell: ({ media_length }) => format.bytes(media_length),
        csv: ({ media_length }) => media_length,
      },
      {
        id: 'user_id',
        header: t('user'),
        width: 140,
        cell: ({ user_id: user, origin }) => (user === null ? <bdi>{origin}</bdi> : <Person id={user} />),
        csv: ({ user_id }) => user_id,
      },
      {
        id: 'created_ts',
        header: t('uploaded'),
        width: 138,
        grow: 0.5,
        sortKey: 'created_ts',
        cell: ({ created_ts: ms }) => <Time ms={ms} />,
        csv: ({ created_ts }) => created_ts,
      },
      {
        id: 'last_access_ts',
        header: t('accessed'),
        width: 165,
        grow: 0.5,
        sortKey: 'last_access_ts',
        cell: ({ last_access_ts: ms }) => <Time ms={ms} />,
        csv: ({ last_access_ts }) => last_access_ts,
      },
      {
        id: 'status',
        header: t('status'),
        width: 190,
        cell: (media) => <MediaBadges media={media} inline />,
      },
      {
        id: 'origin',
        header: t('origin'),
        width: 140,
        hidden: true,
        cell: ({ origin }) => <bdi>{origin}</bdi>,
        csv: ({ origin }) => origin,
      },
      {
        id: 'media_id',
        header: t('media_id'),
        width: 220,
        hidden: true,
        cell: ({ media_id }) => <bdi>{media_id}</bdi>,
        csv: ({ media_id }) => media_id,
      },
      {
        id: 'quarantined_by',
        header: t('quarantined_by'),
        width: 180,
        hidden: true,
        cell: ({ quarantined_by: by }) => by !== null && <Quarantiner id={by} />,
        csv: ({ quarantined_by }) => quarantined_by,
      },
      {
        id: 'protected',
        header: t('protected'),
        width: 100,
        grow: 0.3,
        hidden: true,
        cell: (media) => flag(media.protected),
        csv: (media) => media.protected,
      },
      {
        id: 'orphaned',
        header: t('orphaned'),
        width: 130,
        grow: 0.3,
        hidden: true,
        cell: ({ orphaned }) => (orphaned === null ? t('orphaned_unknown') : flag(orphaned)),
        csv: ({ orphaned }) => orphaned,
      },
      {
        id: 'sha256',
        header: t('sha256'),
        width: 260,
        hidden: true,
        cell: ({ sha256 }) => <span title={sha256 ?? undefined}>{sha256}</span>,
        csv: ({ sha256 }) => sha256,
      },
    ];
  }, [t, common, format, revealed]);
}

/** Who quarantined a medium. */
export function Quarantiner({ id }: { readonly id: string }) {
  const { t } = useTranslation('media');
  return id.startsWith('@') ? (
    <UserLink id={id} />
  ) : (
    <span>{id === 'system' ? t('quarantined_by_system') : id}</span>
  );
}
