import { Group, Paper, Text, Title } from '@mantine/core';
import type { StewardEvent } from '@steward/sdk';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { live } from '../../live/live.ts';
import { IdLink } from '../../ui/links.tsx';
import { Time } from '../../ui/time.tsx';
import { usePhrase } from '../../ui/use-phrase.ts';

const SHOWN = 12;

/** The last changes on the server, as they happen while the page is open. */
export function RecentEvents() {
  const { t } = useTranslation('overview');
  const phraseOf = usePhrase('events');
  const [events, setEvents] = useState<readonly StewardEvent[]>([]);
  useEffect(() => live.onEvent((event) => setEvents((before) => [event, ...before].slice(0, SHOWN))), []);
  return (
    <section aria-label={t('recent')}>
      <Title order={2} size="h4" mb="sm">
        {t('recent')}
      </Title>
      {events.length === 0 ? (
        <Text c="dimmed">{t('recent_empty')}</Text>
      ) : (
        <Paper withBorder p="sm" component="ol" className="plain-list">
          {events.map(({ id, type, actor, targets, time }) => (
            <Group key={id} component="li" gap="sm" py={4}>
              <Text size="sm" title={type} style={{ overflowWrap: 'anywhere' }}>
                {actor === null ? t('server') : <IdLink id={actor} />} {phraseOf(type)}
                {targets[0] !== undefined && targets[0] !== actor && (
                  <>
                    {': '}
                    <IdLink id={targets[0]} />
                  </>
                )}
              </Text>
              <Text size="sm" c="dimmed">
                <Time ms={time} />
              </Text>
            </Group>
          ))}
        </Paper>
      )}
    </section>
  );
}
