import { Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { JsonView } from '../../../ui/json-view.tsx';
import { UserLink } from '../../../ui/links.tsx';
import { Time } from '../../../ui/time.tsx';
import type { RoomEvent } from '../room/room-event.ts';
import type { EditedState } from './set-state-dialog.tsx';

interface StateOfTypeProps {
  readonly type: string;
  readonly events: readonly RoomEvent[];
  readonly onEdit: ((edited: EditedState) => void) | undefined;
}

/** Memberships are changed by their own orders. */
const MEMBER = 'm.room.member';
const SHOWN_AT_ONCE = 50;

/** The state events of one type, by state key. */
export function StateOfType({ type, events, onEdit }: StateOfTypeProps) {
  const { t } = useTranslation();
  const [shown, setShown] = useState(SHOWN_AT_ONCE);
  return (
    <Stack gap={0}>
      {events.slice(0, shown).map((event) => (
        <StateRow
          key={event.id || event.stateKey}
          event={event}
          onEdit={type === MEMBER ? undefined : onEdit}
        />
      ))}
      {events.length > shown && (
        <Button size="compact-sm" variant="subtle" onClick={() => setShown(shown + SHOWN_AT_ONCE)}>
          {t('state.more')}
        </Button>
      )}
    </Stack>
  );
}

function StateRow({
  event,
  onEdit,
}: {
  readonly event: RoomEvent;
  readonly onEdit: StateOfTypeProps['onEdit'];
}) {
  const { t } = useTranslation('rooms');
  const [opened, setOpened] = useState(false);
  const { type, stateKey = '', sender, ms, content, source } = event;
  const name = stateKey === '' ? t('state_key_empty') : stateKey;
  return (
    <Stack gap="xs" py="xs" className="state-row">
      <Group gap="xs" justify="space-between">
        <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
          <bdi>{name}</bdi>
        </Text>
        <Group gap={4}>
          <Button
            size="compact-xs"
            variant="default"
            aria-expanded={opened}
            aria-label={`${opened ? t('raw_hide') : t('raw_show')}: ${type} ${name}`}
            onClick={() => setOpened(!opened)}
          >
            {opened ? t('raw_hide') : t('raw_show')}
          </Button>
          {onEdit && (
            <Button
              size="compact-xs"
              variant="default"
              aria-label={`${t('state_change')}: ${type} ${name}`}
              onClick={() => onEdit({ type, stateKey, content, isNew: false })}
            >
              {t('state_change')}
            </Button>
          )}
        </Group>
      </Group>
      <Text size="xs" c="dimmed">
        <UserLink id={sender} /> · <Time ms={ms} exact />
      </Text>
      {opened ? (
        <JsonView label={`${type} ${name}`} value={source} maxHeight="40vh" />
      ) : (
        <Text size="xs" ff="monospace" lineClamp={2} style={{ overflowWrap: 'anywhere' }}>
          {JSON.stringify(content)}
        </Text>
      )}
    </Stack>
  );
}
