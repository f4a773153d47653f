import { Accordion, Alert, Button, Group, Text, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../../api/use-can.ts';
import { useFormat } from '../../../i18n/use-format.ts';
import { cleanText } from '../../../ui/input/clean-text.ts';
import { Note, QueryState } from '../../../ui/query-state.tsx';
import { ContentNote } from '../parts/content-note.tsx';
import { Mark } from '../parts/mark.tsx';
import { type RoomEvent, readEvent } from '../room/room-event.ts';
import { useContent } from '../room/use-content.ts';
import type { Room } from '../room/use-room.ts';
import { type EditedState, SetStateDialog } from './set-state-dialog.tsx';
import { StateOfType } from './state-of-type.tsx';

/** Above this number of state events they are read by type, or when the user asks for all. */
const READ_AT_ONCE = 2_000;
const TYPING_MS = 300;
const COMMON_TYPES = [
  'm.room.create',
  'm.room.power_levels',
  'm.room.join_rules',
  'm.room.history_visibility',
  'm.room.server_acl',
  'm.room.pinned_events',
  'm.space.child',
];

/** The present state of a room by type and state key. */
export function StateTab({ room }: { readonly room: Room }) {
  const { t } = useTranslation('rooms');
  const can = useCan();
  if (!can('rooms.listState')) return <ContentNote what={t('tab_state')} />;
  return <StateTree room={room} />;
}

function StateTree({ room }: { readonly room: Room }) {
  const { t } = useTranslation('rooms');
  const { t: common } = useTranslation();
  const format = useFormat();
  const can = useCan();
  const search = useSearch({ from: '/rooms/$roomId' });
  const navigate = useNavigate({ from: '/rooms/$roomId' });
  const [allAsked, setAllAsked] = useState(false);
  const [edited, setEdited] = useState<EditedState>();
  const { room_id: roomId, state_events: count } = room;
  const type = String(search.type ?? '');
  const readsAll = count <= READ_AT_ONCE || allAsked;
  const query = useContent(
    roomId,
    'rooms.listState',
    readsAll ? { room_id: roomId } : { room_id: roomId, type },
    readsAll || type !== '',
  );
  const byType = useMemo(
    () => groupByType((query.data?.state ?? []).map(readEvent), type),
    [query.data, type],
  );
  const setType = (next: string) =>
    navigate({ search: (before) => ({ ...before, type: next || undefined }), replace: true });
  const maySet = can('rooms.setState');
  return (
    <>
      <Group gap="xs" mb="sm">
        <TypeField type={type} onChange={setType} />
        {maySet && (
          <Button
            size="xs"
            variant="default"
            onClick={() => setEdited({ type: '', stateKey: '', content: {}, isNew: true })}
          >
            {t('state_new')}
          </Button>
        )}
        {query.data !== undefined && (
          <Text size="sm" c="dimmed" role="status">
            {common('table.total', {
              count: query.data.state.length,
              formatted: format.number(query.data.state.length),
            })}
          </Text>
        )}
      </Group>
      {!readsAll && type === '' ? (
        <Alert
          variant="outline"
          color="blue"
          title={t('state_large', { count, formatted: format.number(count) })}
        >
          <Group gap="xs">
            {COMMON_TYPES.map((each) => (
              <Button key={each} size="compact-sm" variant="default" onClick={() => setType(each)}>
                {each}
              </Button>
            ))}
            <Button size="compact-sm" variant="outline" onClick={() => setAllAsked(true)}>
              {t('state_load_all')}
            </Button>
          </Group>
        </Alert>
      ) : (
        <QueryState query={query} operation="rooms.listState">
          {() =>
            byType.length === 0 ? (
              <Note>{common('state.no_match')}</Note>
            ) : (
              <Accordion
                multiple
                variant="contained"
                order={2}
                keepMounted={false}
                defaultValue={byType.length === 1 ? byType.map(([each]) => each) : []}
              >
                {byType.map(([each, events]) => (
                  <Accordion.Item key={each} value={each}>
                    <Accordion.Control>
                      <Group gap="xs">
                        <Text span ff="monospace" size="sm" style={{ overflowWrap: 'anywhere' }}>
                          <bdi>{each}</bdi>
                        </Text>
                        <Mark colour="gray">{format.number(events.length)}</Mark>
                      </Group>
                    </Accordion.Control>
                    <Accordion.Panel>
                      <StateOfType type={each} events={events} onEdit={maySet ? setEdited : undefined} />
                    </Accordion.Panel>
                  </Accordion.Item>
                ))}
              </Accordion>
            )
          }
        </QueryState>
      )}
      <SetStateDialog room={room} edited={edited} onClose={() => setEdited(undefined)} />
    </>
  );
}

function TypeField({ type, onChange }: { readonly type: string; readonly onChange: (type: string) => void }) {
  const { t } = useTranslation('rooms');
  const [text, setText] = useState(type);
  useEffect(() => setText(type), [type]);
  const ask = useDebouncedCallback(onChange, TYPING_MS);
  return (
    <TextInput
      size="xs"
      type="search"
      className="filter-main"
      aria-label={t('state_type')}
      placeholder={t('state_type')}
      value={text}
      onChange={(event) => {
        setText(event.currentTarget.value);
        ask(cleanText(event.currentTarget.value));
      }}
      spellCheck={false}
      autoComplete="off"
    />
  );
}

/** The events whose type contains a text, by type; types and keys in alphabetical order. */
function groupByType(events: readonly RoomEvent[], part: string) {
  const groups = new Map<string, RoomEvent[]>();
  for (const event of events) {
    if (!event.type.includes(part)) continue;
    const group = groups.get(event.type);
    if (group) group.push(event);
    else groups.set(event.type, [event]);
  }
  for (const group of groups.values())
    group.sort((a, b) => ((a.stateKey ?? '') < (b.stateKey ?? '') ? -1 : 1));
  return [...groups].sort(([a], [b]) => (a < b ? -1 : 1));
}
