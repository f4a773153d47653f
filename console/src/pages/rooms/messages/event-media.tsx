import { Group, Stack, Text } from '@mantine/core';
import { File, FileLock2 } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../i18n/use-format.ts';
import { BlurredMedia } from '../../../ui/blurred-media.tsx';
import { asNumber, asObject, asText, type RoomEvent, readContentUri } from '../room/room-event.ts';

interface EventMediaProps {
  readonly content: RoomEvent['content'];
  readonly kind: 'image' | 'video' | 'audio' | 'file' | 'sticker';
}

const WIDTH_PX = 240;
const HEIGHT_PX = 160;

/** A medium in an event. It is shown when it is asked for; what is encrypted the server cannot show. */
export function EventMedia({ content, kind }: EventMediaProps) {
  const { t } = useTranslation('rooms');
  const name = asText(content.filename) ?? asText(content.body) ?? '';
  const info = asObject(content.info);
  const uri = readContentUri(content.url);
  // Of a video the server has a preview only if its sender has uploaded one.
  const preview = kind === 'video' ? readContentUri(info.thumbnail_url) : uri;
  const isEncrypted = uri === undefined && content.file !== undefined;
  const shows = preview !== undefined && kind !== 'file' && kind !== 'audio';
  return (
    <Stack gap={4} align="flex-start">
      <Group gap={6}>
        {isEncrypted ? <FileLock2 size={16} aria-hidden /> : <File size={16} aria-hidden />}
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {t(`event_${kind}`)}: <bdi>{name}</bdi>
        </Text>
        <Text size="xs" c="dimmed">
          <bdi>{asText(info.mimetype)}</bdi> <StatedSize info={info} />
        </Text>
      </Group>
      {isEncrypted && (
        <Text size="xs" c="dimmed">
          {t('event_file_encrypted')}
        </Text>
      )}
      {shows && (
        <BlurredMedia
          serverName={preview.server}
          mediaId={preview.mediaId}
          width={WIDTH_PX}
          height={HEIGHT_PX}
          alt={name}
        />
      )}
      {uri !== undefined && (
        <Text size="xs" c="dimmed" ff="monospace" style={{ overflowWrap: 'anywhere' }}>
          <bdi>{`mxc://${uri.server}/${uri.mediaId}`}</bdi>
        </Text>
      )}
    </Stack>
  );
}

/** The size of a file as its sender states it. */
function StatedSize({ info }: { readonly info: unknown }) {
  const format = useFormat();
  const size = asNumber(asObject(info).size);
  return size === undefined || size < 0 ? null : format.bytes(size);
}
