import { Button, Card, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import type { InventoryMedia, ListMediaResponse } from '@steward/sdk';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useCursorRows } from '../../../api/use-cursor-rows.ts';
import { useFormat } from '../../../i18n/use-format.ts';
import { BlurredMedia } from '../../../ui/blurred-media.tsx';
import { ErrorNotice } from '../../../ui/errors/error-notice.tsx';
import { UserLink } from '../../../ui/links.tsx';
import { OrderButton } from '../../../ui/order/order-button.tsx';
import { Note } from '../../../ui/query-state.tsx';
import { Time } from '../../../ui/time.tsx';
import { Mark } from '../parts/mark.tsx';
import { AddressesOfMedia } from './addresses-of-media.tsx';

const PAGE_MEDIA = 48;
const WIDTH_PX = 240;
const HEIGHT_PX = 160;

const rowsOf = (page: ListMediaResponse) => page.media;
const nextOf = (page: ListMediaResponse) => page.next_token;
const totalOf = (page: ListMediaResponse) => page.total;

/** The media that the events of a room show. */
export function MediaTab({ roomId }: { readonly roomId: string }) {
  const { t } = useTranslation('rooms');
  const { t: common } = useTranslation();
  const format = useFormat();
  const params = useMemo(() => ({ room_id: roomId }), [roomId]);
  const rows = useCursorRows('media.list', params, { rowsOf, nextOf, totalOf, limit: PAGE_MEDIA });
  const media = Array.from({ length: rows.count }, (_, index) => rows.at(index)).filter(
    (medium) => medium !== undefined,
  );
  return (
    <Stack gap="sm">
      <Group justify="space-between" gap="xs">
        <Text size="sm">
          {t('media_hint')}{' '}
          {rows.total !== undefined &&
            common('table.total', { count: rows.total, formatted: format.number(rows.total) })}
        </Text>
        <OrderButton
          operation="rooms.quarantineMedia"
          title={t('quarantine')}
          consequences={[
            t('quarantine_effect'),
            t('quarantine_effect_same'),
            t('quarantine_effect_encrypted'),
          ]}
          params={{ room_id: roomId }}
          danger
        />
      </Group>
      {rows.error !== null && <ErrorNotice error={rows.error} onRetry={rows.retry} />}
      {rows.loading && <Note>{common('state.loading')}</Note>}
      {!rows.loading && rows.error === null && media.length === 0 && <Note>{t('media_empty')}</Note>}
      <SimpleGrid cols={{ base: 1, xs: 2, md: 3, lg: 4, xl: 5 }} spacing="sm">
        {media.map((medium) => (
          <MediumCard key={`${medium.origin}/${medium.media_id}`} medium={medium} />
        ))}
      </SimpleGrid>
      {rows.count > media.length && (
        <Button variant="default" size="xs" onClick={() => rows.show(0, rows.count)}>
          {common('state.more')}
        </Button>
      )}
      <AddressesOfMedia roomId={roomId} />
    </Stack>
  );
}

function MediumCard({ medium }: { readonly medium: InventoryMedia }) {
  const { t } = useTranslation('rooms');
  const format = useFormat();
  const {
    origin,
    media_id: id,
    upload_name: name,
    media_type: type,
    media_length: size,
    user_id: user,
  } = medium;
  const title = name ?? id;
  const params = { server_name: origin, media_id: id };
  return (
    <Card withBorder padding="xs" role="group" aria-label={title}>
      <Stack gap={6} align="flex-start">
        <BlurredMedia
          serverName={origin}
          mediaId={id}
          width={WIDTH_PX}
          height={HEIGHT_PX}
          alt={title}
          known={medium}
        />
        <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
          <bdi>{title}</bdi>
        </Text>
        <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          <bdi>{type}</bdi> · {format.bytes(size)} · <Time ms={medium.created_ts} />
        </Text>
        <Text size="sm" truncate maw="100%" title={user ?? origin}>
          {user === null ? <bdi>{origin}</bdi> : <UserLink id={user} />}
        </Text>
        <Group gap={6}>
          {medium.quarantined_by !== null && <Mark colour="red">{t('in_quarantine')}</Mark>}
          {medium.protected && <Mark colour="green">{t('protected')}</Mark>}
          {medium.quarantined_by === null ? (
            !medium.protected && (
              <OrderButton
                operation="media.quarantine"
                title={t('quarantine_one')}
                consequences={[title, t('quarantine_one_effect'), t('quarantine_effect_same')]}
                params={params}
                danger
                button={{ size: 'compact-xs' }}
              />
            )
          ) : (
            <OrderButton
              operation="media.unquarantine"
              title={t('release')}
              consequences={[title, t('release_effect')]}
              params={params}
              button={{ size: 'compact-xs' }}
            />
          )}
        </Group>
      </Stack>
    </Card>
  );
}
