import { Alert, Button, Group, Select, TextInput } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Lock, RefreshCw } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../../api/use-can.ts';
import { cleanText } from '../../../ui/input/clean-text.ts';
import { QueryState } from '../../../ui/query-state.tsx';
import { isUserId } from '../../../ui/user-id.ts';
import { ContentNote } from '../parts/content-note.tsx';
import { useContent, useRefreshContent } from '../room/use-content.ts';
import { useDetails } from '../room/use-details.ts';
import type { Room } from '../room/use-room.ts';
import { Timeline } from './timeline.tsx';

/** The types of events by the kind that is chosen. */
const TYPES_OF_KIND = {
  messages: ['m.room.message', 'm.room.encrypted', 'm.sticker'],
  members: ['m.room.member'],
  redactions: ['m.room.redaction'],
  reactions: ['m.reaction'],
} as const;

const KINDS = ['all', 'messages', 'members', 'redactions', 'reactions'] as const;

/** The history of a room: from its end, around an event, or from a time on. */
export function MessagesTab({ room }: { readonly room: Room }) {
  const { t } = useTranslation('rooms');
  const can = useCan();
  if (!can('rooms.listMessages')) return <ContentNote what={t('tab_messages')} />;
  return <History room={room} />;
}

function History({ room }: { readonly room: Room }) {
  const { t } = useTranslation('rooms');
  const search = useSearch({ from: '/rooms/$roomId' });
  const navigate = useNavigate({ from: '/rooms/$roomId' });
  const { room_id: roomId } = room;
  const refresh = useRefreshContent(roomId);
  const chosen = search.event === undefined ? undefined : String(search.event);
  const at = search.at === undefined ? undefined : Date.parse(String(search.at));
  const kind = KINDS.find((each) => each === search.kind) ?? 'all';
  const sender = search.sender === undefined ? undefined : String(search.sender);
  const change = (part: Record<string, string | undefined>) =>
    navigate({ search: (before) => ({ ...before, ...part }) });
  const filter = {
    sender: sender !== undefined && isUserId(sender) ? sender : undefined,
    types: kind === 'all' ? undefined : TYPES_OF_KIND[kind],
  };
  return (
    <>
      {room.encryption !== null && (
        <Alert variant="outline" color="teal" icon={<Lock aria-hidden />} mb="sm">
          {t('encrypted_hint')}
        </Alert>
      )}
      <Group gap="xs" mb="sm" align="flex-end">
        <GoTo
          label={t('go_to_time')}
          type="datetime-local"
          value={String(search.at ?? '')}
          onGo={(time) => change({ at: time, event: undefined })}
        />
        <GoTo
          label={t('go_to_event')}
          type="text"
          placeholder="$event"
          value={chosen ?? ''}
          onGo={(event) => change({ event, at: undefined })}
        />
        <GoTo
          label={t('filter_sender')}
          type="text"
          placeholder="@user:example.org"
          value={sender ?? ''}
          onGo={(user) => change({ sender: user })}
        />
        <Select
          size="xs"
          w={150}
          label={t('filter_kind')}
          data={KINDS.map((value) => ({ value, label: t(`kind_${value}`) }))}
          value={kind}
          allowDeselect={false}
          onChange={(next) => change({ kind: next === 'all' ? undefined : (next ?? undefined) })}
        />
        <Button
          size="xs"
          variant="default"
          onClick={() =>
            (chosen ?? at) === undefined ? refresh() : change({ event: undefined, at: undefined })
          }
          leftSection={<RefreshCw size={14} aria-hidden />}
        >
          {t('newest')}
        </Button>
      </Group>
      {at !== undefined && chosen === undefined ? (
        <AtTime room={room} ms={at} filter={filter} />
      ) : (
        <Timeline key={chosen} roomId={roomId} eventId={chosen} filter={filter} />
      )}
    </>
  );
}

interface AtTimeProps {
  readonly room: Room;
  readonly ms: number;
  readonly filter: { readonly sender: string | undefined; readonly types: readonly string[] | undefined };
}

/** The history around the last event before a time, or from the first event if the room is younger. */
function AtTime({ room, ms, filter }: AtTimeProps) {
  const { room_id: roomId } = room;
  const created = useDetails(roomId)?.created_ts;
  const dir = created !== undefined && ms < created ? 'f' : 'b';
  const query = useContent(
    roomId,
    'rooms.findEventByTime',
    { room_id: roomId, ts: ms, dir },
    created !== undefined,
  );
  return (
    <QueryState query={query} operation="rooms.findEventByTime">
      {({ event_id: eventId }) => (
        <Timeline key={eventId} roomId={roomId} eventId={eventId} filter={filter} />
      )}
    </QueryState>
  );
}

interface GoToProps {
  readonly label: string;
  readonly type: 'text' | 'datetime-local';
  readonly placeholder?: string;
  readonly value: string;
  /** Receives what was typed, when the user presses Enter or leaves the field. */
  readonly onGo: (value: string | undefined) => void;
}

function GoTo({ label, type, placeholder, value, onGo }: GoToProps) {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  const go = () => {
    const next = cleanText(text);
    if (next !== value) onGo(next || undefined);
  };
  return (
    <TextInput
      size="xs"
      w={165}
      label={label}
      type={type}
      placeholder={placeholder}
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
      onBlur={go}
      onKeyDown={(event) => event.key === 'Enter' && go()}
      spellCheck={false}
      autoComplete="off"
    />
  );
}
