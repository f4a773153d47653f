import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { RoomLink, UserLink } from '../../../ui/links.tsx';
import { asObject, asText, asTexts, type RoomEvent } from '../room/room-event.ts';
import { EventLink } from './event-link.tsx';
import { EventMedia } from './event-media.tsx';

/** Longer texts are cut until they are asked for, in characters and lines. */
const LONG_TEXT = 1_000;
const LONG_LINES = 10;

/** What an event says, as text: nothing of it is rendered as markup, and no address in it is opened. */
export function EventBody({ event }: { readonly event: RoomEvent }) {
  const { t } = useTranslation('rooms');
  const { type, content, redaction, stateKey, replaces } = event;
  if (redaction !== undefined) return <Redacted event={event} />;
  if (stateKey !== undefined) return <StateChange event={event} />;
  switch (type) {
    case 'm.room.encrypted':
      return (
        <Text size="sm" fs="italic">
          {t('event_encrypted', { algorithm: asText(content.algorithm) ?? '?' })}
        </Text>
      );
    case 'm.room.message':
      return replaces === undefined ? (
        <Message content={content} />
      ) : (
        <>
          <Text size="sm">
            {t('event_replaces')} <EventLink eventId={replaces} />
          </Text>
          <Message content={asObject(content['m.new_content'])} />
        </>
      );
    case 'm.sticker':
      return <EventMedia content={content} kind="sticker" />;
    case 'm.reaction': {
      const relation = asObject(content['m.relates_to']);
      const target = asText(relation.event_id);
      return (
        <Text size="sm">
          {t('event_reaction')} <bdi>{asText(relation.key) ?? '?'}</bdi>{' '}
          {target !== undefined && <EventLink eventId={target} />}
        </Text>
      );
    }
    case 'm.room.redaction': {
      const target = asText(content.redacts) ?? asText(asObject(event.source).redacts);
      const reason = asText(content.reason);
      return (
        <Text size="sm">
          {t('event_redaction')} {target !== undefined && <EventLink eventId={target} />}
          {reason !== undefined && (
            <>
              : <bdi>{reason}</bdi>
            </>
          )}
        </Text>
      );
    }
    default:
      return <Other content={content} />;
  }
}

function Message({ content }: { readonly content: RoomEvent['content'] }) {
  const { t } = useTranslation('rooms');
  const kind = asText(content.msgtype);
  const body = asText(content.body);
  switch (kind) {
    case 'm.image':
    case 'm.video':
    case 'm.audio':
    case 'm.file':
      return <EventMedia content={content} kind={kind.slice(2) as 'image' | 'video' | 'audio' | 'file'} />;
    case 'm.emote':
      return <Words text={`* ${body ?? ''}`} />;
    default:
      return body === undefined ? (
        <Text size="sm" c="dimmed">
          {t('event_no_text')}
        </Text>
      ) : (
        <Words text={body} />
      );
  }
}

/** A text in its own direction, with the line breaks that it has; a long one is cut until all of it is asked for. */
function Words({ text }: { readonly text: string }) {
  const { t } = useTranslation('rooms');
  const [opened, setOpened] = useState(false);
  const isLong = text.length > LONG_TEXT || text.split('\n', LONG_LINES + 1).length > LONG_LINES;
  return (
    <>
      <Text
        size="sm"
        component="p"
        dir="auto"
        className="event-text"
        lineClamp={isLong && !opened ? LONG_LINES : undefined}
      >
        {text}
      </Text>
      {isLong && (
        <Button size="compact-xs" variant="subtle" aria-expanded={opened} onClick={() => setOpened(!opened)}>
          {opened ? t('text_less') : t('text_more')}
        </Button>
      )}
    </>
  );
}

function Redacted({ event: { redaction } }: { readonly event: RoomEvent }) {
  const { t } = useTranslation('rooms');
  return (
    <Text size="sm" fs="italic">
      {t('event_redacted')}
      {redaction?.sender !== undefined && (
        <>
          {' '}
          <UserLink id={redaction.sender} />
        </>
      )}
      {redaction?.reason !== undefined && (
        <>
          : <bdi>{redaction.reason}</bdi>
        </>
      )}
    </Text>
  );
}

/** Memberships and names in words; other state by its content. */
function StateChange({ event: { type, stateKey = '', content } }: { readonly event: RoomEvent }) {
  const { t } = useTranslation('rooms');
  switch (type) {
    case 'm.room.member': {
      const reason = asText(content.reason);
      return (
        <Text size="sm">
          <UserLink id={stateKey} />: <bdi>{asText(content.membership) ?? '?'}</bdi>
          {reason !== undefined && (
            <>
              {' '}
              (<bdi>{reason}</bdi>)
            </>
          )}
        </Text>
      );
    }
    case 'm.room.name':
      return <Change label={t('name')} value={asText(content.name)} />;
    case 'm.room.topic':
      return <Change label={t('topic')} value={asText(content.topic)} />;
    case 'm.room.canonical_alias':
      return (
        <Change
          label={t('alias')}
          value={[asText(content.alias), ...asTexts(content.alt_aliases)].filter(Boolean).join(', ')}
        />
      );
    case 'm.room.tombstone': {
      const next = asText(content.replacement_room);
      return (
        <Text size="sm">
          {t('replaced_by')} {next !== undefined && <RoomLink id={next} />}
        </Text>
      );
    }
    default:
      return <Other content={content} stateKey={stateKey} />;
  }
}

function Change({ label, value }: { readonly label: string; readonly value: string | undefined }) {
  return (
    <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
      {label}: <bdi>{value ?? ''}</bdi>
    </Text>
  );
}

const SHORT = 300;

function Other({ content, stateKey = '' }: { readonly content: object; readonly stateKey?: string }) {
  const text = JSON.stringify(content);
  return (
    <Text size="xs" ff="monospace" style={{ overflowWrap: 'anywhere' }}>
      {stateKey !== '' && (
        <>
          <bdi>{stateKey}</bdi>{' '}
        </>
      )}
      {text.length > SHORT ? `${text.slice(0, SHORT)}…` : text}
    </Text>
  );
}
