import { Group, Paper, Text, Title } from '@mantine/core';
import type { StewardEvent } from '@steward/sdk';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { live } from '../../live/live.ts';
import { Time } from '../../ui/time.tsx';

const SHOWN = 12;

/** The last changes on the server, as they happen while the page is open. */
export function RecentEvents() {
  const { t } = useTranslation('overview');
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
              <Text size="sm" ff="monospace">
                {type}
              </Text>
              <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
                <bdi>{targets[0]}</bdi>
              </Text>
              <Text size="sm" c="dimmed">
                {actor ? t('by', { actor }) : t('by_server')}, <Time ms={time} />
              </Text>
            </Group>
          ))}
        </Paper>
      )}
    </section>
  );
}
