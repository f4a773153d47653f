import { Box, Button, Paper, Stack, Text } from '@mantine/core';
import { MessagesSquare } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../../api/use-can.ts';
import { useRead } from '../../../api/use-read.ts';
import { QueryState } from '../../../ui/query-state.tsx';
import { Time } from '../../../ui/time.tsx';
import { numberOf, textOf } from './content.ts';
import { Readable } from './event-content.tsx';

interface EventContextProps {
  readonly roomId: string;
  readonly eventId: string;
}

const AROUND = 10;

/** What was written before and after the reported event. Read when it is asked for: the audit log records that. */
export function EventContext({ roomId, eventId }: EventContextProps) {
  const { t } = useTranslation('reports');
  const can = useCan();
  const [asked, setAsked] = useState(false);
  const query = useRead(
    'rooms.getEventContext',
    { room_id: roomId, event_id: eventId, limit: AROUND },
    { enabled: asked, recorded: true },
  );
  if (!can('rooms.getEventContext')) return null;
  return (
    <Stack gap="xs" align="stretch">
      <Button
        size="xs"
        variant="default"
        w="fit-content"
        leftSection={<MessagesSquare size={16} aria-hidden />}
        aria-expanded={asked}
        onClick={() => setAsked(!asked)}
      >
        {asked ? t('context_hide') : t('context_show')}
      </Button>
      {asked && (
        <QueryState query={query} operation="rooms.getEventContext">
          {({ event, events_before: before, events_after: after }) => (
            <Box component="ol" className="report-context" aria-label={t('context')}>
              {[...before].reverse().map((each, index) => (
                <ContextEvent key={textOf(each, 'event_id') ?? `b${index}`} event={each} />
              ))}
              <ContextEvent event={event} reported />
              {after.map((each, index) => (
                <ContextEvent key={textOf(each, 'event_id') ?? `a${index}`} event={each} />
              ))}
            </Box>
          )}
        </QueryState>
      )}
    </Stack>
  );
}

function ContextEvent({ event, reported = false }: { readonly event: unknown; readonly reported?: boolean }) {
  const { t } = useTranslation('reports');
  return (
    <Paper component="li" withBorder p="xs" data-reported={reported || undefined}>
      <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
        {reported && (
          <Text span size="xs" fw={700}>
            {t('reported_event')}{' '}
          </Text>
        )}
        <bdi>{textOf(event, 'sender')}</bdi> <Time ms={numberOf(event, 'origin_server_ts')} exact />
      </Text>
      <Readable event={event} />
    </Paper>
  );
}
