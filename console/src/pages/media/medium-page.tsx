import { Group, SimpleGrid, Stack, Title } from '@mantine/core';
import type { MediaInfo } from '@steward/sdk';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useRead } from '../../api/use-read.ts';
import { useFormat } from '../../i18n/use-format.ts';
import { BlurredMedia } from '../../ui/blurred-media.tsx';
import { type Field, Fields } from '../../ui/fields.tsx';
import { IdText } from '../../ui/id-text.tsx';
import { TextLink } from '../../ui/link.tsx';
import { UserLink } from '../../ui/links.tsx';
import { Page } from '../../ui/page.tsx';
import { QueryState } from '../../ui/query-state.tsx';
import { Time } from '../../ui/time.tsx';
import { MediaBadges } from './media-badges.tsx';
import { MediumOrders } from './medium-orders.tsx';
import { Quarantiner } from './use-media-columns.tsx';

const MAX_TITLE = 60;
const PREVIEW_PX = { width: 480, height: 360 };

/** One medium: what the server knows of it, its preview, and the orders about it. */
export function MediumPage() {
  const { t } = useTranslation('media');
  const { serverName, mediaId } = useParams({ from: '/media/$serverName/$mediaId' });
  const [gone, setGone] = useState(false);
  const query = useRead('media.get', { server_name: serverName, media_id: mediaId }, { enabled: !gone });
  const info = query.data?.media_info;
  return (
    <Page title={shorten(info?.upload_name ?? t('medium.title'))}>
      <QueryState query={query} operation="media.get">
        {({ media_info: known }) => known && <Medium serverName={serverName} info={known} onGone={setGone} />}
      </QueryState>
    </Page>
  );
}

/** Names may be longer than a screen. */
function shorten(name: string): string {
  const letters = [...name];
  return letters.length > MAX_TITLE ? `${letters.slice(0, MAX_TITLE).join('')}…` : name;
}

interface MediumProps {
  readonly serverName: string;
  readonly info: MediaInfo;
  readonly onGone: (gone: boolean) => void;
}

function Medium({ serverName, info, onGone }: MediumProps) {
  const { t } = useTranslation('media');
  const { t: common } = useTranslation();
  const format = useFormat();
  const orphaned = useOrphaned(serverName, info);
  const yesNo = (value: boolean) => (value ? common('table.yes') : common('table.no'));
  const { media_id: id, user_id: user, quarantined_by: by, url_cache: url } = info;
  const fields: readonly Field[] = [
    [t('uri'), <IdText key="uri" id={`mxc://${serverName}/${id}`} />],
    [t('name'), <bdi key="name">{info.upload_name ?? t('no_name')}</bdi>],
    [t('type'), <bdi key="type">{info.media_type}</bdi>],
    [t('size'), format.bytes(info.media_length)],
    ...(user === null
      ? []
      : [
          [
            t('user'),
            <Group key="user" gap="md">
              <UserLink id={user} />
              <TextLink to="/media" search={{ user_id: user }}>
                {t('medium.same_user')}
              </TextLink>
            </Group>,
          ] as const,
        ]),
    [t('uploaded'), <Time key="uploaded" ms={info.created_ts} exact />],
    [t('accessed'), <Time key="accessed" ms={info.last_access_ts} exact />],
    [t('quarantined'), by === null ? yesNo(false) : <Quarantiner key="by" id={by} />],
    [t('protected'), yesNo(info.safe_from_quarantine === true)],
    ...(orphaned === undefined
      ? []
      : [[t('orphaned'), orphaned === null ? t('orphaned_unknown') : yesNo(orphaned)] as const]),
    [t('medium.authenticated'), yesNo(info.authenticated)],
    ...(info.sha256 === null ? [] : [[t('sha256'), <IdText key="sha256" id={info.sha256} />] as const]),
    ...(url === null ? [] : [[t('medium.url'), <bdi key="url">{url}</bdi>] as const]),
    ...(info.filesystem_id === null
      ? []
      : [[t('medium.storage_id'), <IdText key="storage" id={info.filesystem_id} />] as const]),
  ];
  return (
    <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="lg">
      <Stack align="flex-start">
        <Title order={2} size="h4">
          {t('preview')}
        </Title>
        <BlurredMedia
          serverName={serverName}
          mediaId={id}
          {...PREVIEW_PX}
          alt={info.upload_name ?? id}
          known={info}
        />
        <MediaBadges
          media={{
            quarantined_by: by,
            protected: info.safe_from_quarantine === true,
            orphaned: orphaned ?? null,
          }}
        />
        <MediumOrders serverName={serverName} info={info} onGone={onGone} />
      </Stack>
      <Stack>
        <Title order={2} size="h4">
          {t('medium.details')}
        </Title>
        <Fields fields={fields} />
      </Stack>
    </SimpleGrid>
  );
}

/** Whether nothing shows a medium, which only the inventory says; undefined while that is not known here. */
function useOrphaned(serverName: string, info: MediaInfo): boolean | null | undefined {
  const { media_id: id, user_id: user, created_ts: ts } = info;
  const query = useRead('media.list', {
    origin: serverName,
    ...(user === null ? {} : { user_id: user }),
    created_after: ts,
    created_before: ts + 1,
  });
  return query.data?.media.find(({ media_id }) => media_id === id)?.orphaned;
}
