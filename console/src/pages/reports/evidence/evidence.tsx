import { Box, Group, Paper, Stack, Text } from '@mantine/core';
import type { ReportEvidence } from '@steward/sdk';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../../api/use-can.ts';
import { useRead } from '../../../api/use-read.ts';
import { BlurredMedia } from '../../../ui/blurred-media.tsx';
import { Fields } from '../../../ui/fields.tsx';
import { JsonView } from '../../../ui/json-view.tsx';
import { QueryState } from '../../../ui/query-state.tsx';
import { Time } from '../../../ui/time.tsx';
import type { Case } from '../desk/case-orders.ts';
import { Section } from '../desk/section.tsx';
import { avatarOf, fieldOf, numberOf, textOf } from './content.ts';
import { EventContent } from './event-content.tsx';
import { EventContext } from './event-context.tsx';
import { parseContentUri } from './parse-content-uri.ts';

interface EvidenceProps {
  readonly current: Case;
  /** Whether to read it now; the audit log records that. */
  readonly enabled: boolean;
}

const MAX_COPIES = 100;
const AVATAR_PX = 96;
const MEDIUM_PX = { width: 320, height: 200 };

/** What was reported, as it was when it was reported. */
export function Evidence({ current, enabled }: EvidenceProps) {
  const { t } = useTranslation('reports');
  const can = useCan();
  if (!can('reports.getEvidence')) {
    return (
      <Section title={t('evidence')}>
        <Text size="sm" c="dimmed">
          {t('evidence_hidden')}
        </Text>
      </Section>
    );
  }
  return (
    <Section title={t('evidence')}>
      <Stack gap="sm">
        <Copies current={current} enabled={enabled} />
        {current.media_uri !== null && <Medium uri={current.media_uri} />}
        {current.event_id !== null && current.room_id !== null && (
          <EventContext key={current.event_id} roomId={current.room_id} eventId={current.event_id} />
        )}
      </Stack>
    </Section>
  );
}

function Copies({ current, enabled }: EvidenceProps) {
  const { t } = useTranslation('reports');
  const { case_id: id, report_count: count } = current;
  const query = useRead(
    'reports.getEvidence',
    { report_id: id, limit: MAX_COPIES },
    { enabled, recorded: true },
  );
  const { refetch } = query;
  const before = useRef({ id, count });
  // A further report may show another state of the same subject.
  useEffect(() => {
    if (enabled && before.current.id === id && before.current.count < count) void refetch();
    before.current = { id, count };
  }, [enabled, id, count, refetch]);
  return (
    <QueryState query={query} operation="reports.getEvidence">
      {({ evidence }) => {
        // Of a subject with an earlier case there may be copies that only that one shows.
        if (evidence.length === 0) return <Text size="sm">{t('evidence_none')}</Text>;
        return (
          <Stack gap="sm">
            {evidence.map((copy) => (
              <Copy key={copy.id} copy={copy} />
            ))}
          </Stack>
        );
      }}
    </QueryState>
  );
}

function Copy({ copy }: { readonly copy: ReportEvidence }) {
  const { t } = useTranslation('reports');
  const { content, first_received_ts: first, kept_until_ts: until } = copy;
  return (
    <Paper withBorder p="sm">
      <Stack gap="xs">
        <CopyContent content={content} />
        <Text size="xs" c="dimmed">
          {t('copied')} <Time ms={first} />, {t('kept_until')} <Time ms={until} exact />
        </Text>
      </Stack>
    </Paper>
  );
}

function CopyContent({ content }: { readonly content: unknown }) {
  const { t } = useTranslation('reports');
  const event = fieldOf(content, 'event');
  const user = fieldOf(content, 'user');
  const room = fieldOf(content, 'room');
  if (event !== undefined) {
    const sender = fieldOf(content, 'sender');
    const name = textOf(sender, 'displayname');
    return (
      <>
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          <Text span fw={600} size="sm">
            <bdi>{name ?? textOf(sender, 'user_id') ?? t('unknown_user')}</bdi>
          </Text>{' '}
          <Text span c="dimmed" size="sm">
            {name !== undefined && <bdi>{textOf(sender, 'user_id')}</bdi>}{' '}
            <Time ms={numberOf(event, 'origin_server_ts')} exact />
          </Text>
        </Text>
        {fieldOf(content, 'redacted') === true && <Text size="sm">{t('redacted_before')}</Text>}
        <EventContent event={event} />
      </>
    );
  }
  if (user !== undefined) {
    const name = textOf(user, 'displayname');
    return (
      <Group align="flex-start">
        <Avatar profile={user} />
        <div>
          <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
            <bdi>{name ?? t('no_name')}</bdi>
          </Text>
          <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            <bdi>{textOf(user, 'user_id')}</bdi>
          </Text>
        </div>
      </Group>
    );
  }
  if (room === undefined) return <JsonView label={t('raw')} value={content} maxHeight="40vh" />;
  return (
    <Group align="flex-start" wrap="nowrap">
      <Avatar profile={room} />
      <Box flex={1} miw={0}>
        <Fields
          fields={[
            [t('room_name'), <bdi key="name">{textOf(room, 'name') ?? t('no_name')}</bdi>],
            [t('room_topic'), <bdi key="topic">{textOf(room, 'topic') ?? '–'}</bdi>],
            [t('room_alias'), <bdi key="alias">{textOf(room, 'canonical_alias') ?? '–'}</bdi>],
            [t('room_creator'), <bdi key="creator">{textOf(room, 'creator') ?? '–'}</bdi>],
            [t('room_members'), numberOf(room, 'joined_members') ?? '–'],
          ]}
        />
      </Box>
    </Group>
  );
}

function Avatar({ profile }: { readonly profile: unknown }) {
  const { t } = useTranslation('reports');
  const avatar = avatarOf(profile, t('avatar'));
  if (avatar === undefined) return null;
  return (
    <BlurredMedia
      serverName={avatar.serverName}
      mediaId={avatar.mediaId}
      alt={avatar.name}
      width={AVATAR_PX}
      height={AVATAR_PX}
    />
  );
}

function Medium({ uri }: { readonly uri: string }) {
  const parsed = parseContentUri(uri);
  if (parsed === undefined) return null;
  return <BlurredMedia {...parsed} alt={uri} {...MEDIUM_PX} />;
}
