import { ActionIcon, Group, Menu, Text } from '@mantine/core';
import { EllipsisVertical } from 'lucide-react';
import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../../api/use-can.ts';
import { UserLink } from '../../../ui/links.tsx';
import { Time } from '../../../ui/time.tsx';
import { Mark } from '../parts/mark.tsx';
import type { RoomEvent } from '../room/room-event.ts';
import { EventBody } from './event-body.tsx';
import { EventLink } from './event-link.tsx';

/** What can be done with an event. */
export type EventAction = 'raw' | 'redact' | 'purge';

interface EventItemProps {
  readonly event: RoomEvent;
  /** Whether the URL names it. */
  readonly isChosen: boolean;
  /** The event that replaced its text, if one is loaded. */
  readonly editedBy: string | undefined;
  readonly onAction: (action: EventAction, event: RoomEvent) => void;
}

/** An event in the history of a room. */
export const EventItem = memo(function EventItem({ event, isChosen, editedBy, onAction }: EventItemProps) {
  const { t } = useTranslation('rooms');
  const can = useCan();
  const { id, type, sender, ms, stateKey, redaction, orderedBy } = event;
  return (
    <li
      className={isChosen ? 'event event-chosen' : 'event'}
      data-event={id}
      aria-current={isChosen || undefined}
    >
      <Group justify="space-between" wrap="nowrap" align="flex-start" gap="xs">
        <Group gap={6} style={{ minWidth: 0 }}>
          <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
            <UserLink id={sender} />
          </Text>
          <EventLink eventId={id}>
            <Time ms={ms} exact />
          </EventLink>
          {type !== 'm.room.message' && <Mark colour="gray">{type}</Mark>}
          {stateKey !== undefined && <Mark colour="violet">{t('mark_state')}</Mark>}
          {type === 'm.room.encrypted' && <Mark colour="teal">{t('encrypted')}</Mark>}
          {redaction !== undefined && <Mark colour="red">{t('mark_redacted')}</Mark>}
          {editedBy !== undefined && (
            <EventLink eventId={editedBy}>
              <Mark colour="orange">{t('mark_edited')}</Mark>
            </EventLink>
          )}
          {orderedBy !== undefined && (
            <Text size="xs" c="dimmed">
              {t('ordered_by')} <bdi>{orderedBy}</bdi>
            </Text>
          )}
        </Group>
        <Menu position="bottom-end">
          <Menu.Target>
            <ActionIcon variant="subtle" color="gray" aria-label={t('event_menu', { id })}>
              <EllipsisVertical size={16} aria-hidden />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item onClick={() => onAction('raw', event)}>{t('raw_show')} …</Menu.Item>
            {can('rooms.redactEvent') && redaction === undefined && (
              <Menu.Item color="var(--mantine-color-error)" onClick={() => onAction('redact', event)}>
                {t('redact')} …
              </Menu.Item>
            )}
            {can('rooms.purgeHistory') && (
              <Menu.Item color="var(--mantine-color-error)" onClick={() => onAction('purge', event)}>
                {t('purge_before')} …
              </Menu.Item>
            )}
          </Menu.Dropdown>
        </Menu>
      </Group>
      <EventBody event={event} />
    </li>
  );
});
