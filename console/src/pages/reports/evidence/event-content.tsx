import { Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { BlurredMedia } from '../../../ui/blurred-media.tsx';
import { JsonView } from '../../../ui/json-view.tsx';
import { fieldOf, fileOf, textOf } from './content.ts';

const PREVIEW_PX = { width: 320, height: 200 };

/** What an event says, as its readers saw it, and in its stored form. */
export function EventContent({ event }: { readonly event: unknown }) {
  const { t } = useTranslation('reports');
  return (
    <Stack gap="xs">
      <Readable event={event} />
      <details>
        <summary>{t('raw')}</summary>
        <JsonView label={t('raw')} value={event} maxHeight="40vh" />
      </details>
    </Stack>
  );
}

/** What an event says, as its readers saw it. */
export function Readable({ event }: { readonly event: unknown }) {
  const { t } = useTranslation('reports');
  const type = textOf(event, 'type') ?? '';
  const content = fieldOf(event, 'content');
  const body = textOf(content, 'body');
  const file = fileOf(content);
  if (type === 'm.room.encrypted') return <Hint>{t('encrypted')}</Hint>;
  if (fieldOf(event, 'unsigned', 'redacted_because') !== undefined) return <Hint>{t('redacted')}</Hint>;
  if (body === undefined && file === undefined) return <Hint>{t('no_text', { type })}</Hint>;
  return (
    <Stack gap={6} align="flex-start">
      {body !== undefined && (
        <Text style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }} maw="100%">
          <bdi>{body}</bdi>
        </Text>
      )}
      {file !== undefined && (
        <BlurredMedia serverName={file.serverName} mediaId={file.mediaId} alt={file.name} {...PREVIEW_PX} />
      )}
      {fieldOf(content, 'file') !== undefined && <Hint>{t('encrypted_file')}</Hint>}
    </Stack>
  );
}

function Hint({ children }: { readonly children: string }) {
  return (
    <Text size="sm" c="dimmed">
      {children}
    </Text>
  );
}
