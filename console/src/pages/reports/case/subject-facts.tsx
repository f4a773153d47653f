import { Badge, Group, Text } from '@mantine/core';
import type { RoomListEntry, User } from '@steward/sdk';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../../api/use-can.ts';
import { useRead } from '../../../api/use-read.ts';
import { useFormat } from '../../../i18n/use-format.ts';
import { useMe } from '../../../session/use-session.ts';
import { Person } from '../../../ui/faces/person.tsx';
import { Room } from '../../../ui/faces/room.tsx';
import { type Field, Fields } from '../../../ui/fields.tsx';
import { TextLink } from '../../../ui/link.tsx';
import { Time } from '../../../ui/time.tsx';
import type { Case } from '../desk/case-orders.ts';
import { Section } from '../desk/section.tsx';

/** Who and what a case is about: the user and the room, with what is known of them now. */
export function SubjectFacts({ current }: { readonly current: Case }) {
  const { t } = useTranslation('reports');
  const { user_id: user, room_id: room, event_id: event, media_uri: medium } = current;
  return (
    <Section title={t('concerned')}>
      {user !== null && <UserFacts id={user} />}
      {room !== null && <RoomFacts id={room} />}
      {(event !== null || medium !== null) && (
        <Fields
          fields={[
            ...(event === null ? [] : [[t('event'), <bdi key="event">{event}</bdi>] as const]),
            ...(medium === null ? [] : [[t('medium'), <bdi key="medium">{medium}</bdi>] as const]),
          ]}
        />
      )}
    </Section>
  );
}

function UserFacts({ id }: { readonly id: string }) {
  const { t } = useTranslation('reports');
  const format = useFormat();
  const can = useCan();
  const me = useMe();
  // The server has accounts of its own users only.
  const isLocal = id.slice(id.indexOf(':')) === me.user_id.slice(me.user_id.indexOf(':'));
  const { data: user } = useRead('users.get', { user_id: id }, { enabled: isLocal });
  const { data: cases } = useRead('reports.list', { group: 'subject', user: id, limit: 1 });
  const fields: Field[] = [[t('user'), <Person key="user" id={id} />]];
  if (user !== undefined) {
    fields.push(
      [t('name'), <bdi key="name">{user.displayname ?? '–'}</bdi>],
      [t('account_state'), <UserStates key="states" user={user} />],
      [t('account_created'), <Time key="created" ms={user.creation_ts} />],
      [t('last_seen'), <Time key="seen" ms={user.last_seen_ts} />],
    );
  } else if (!isLocal) fields.push([t('account_state'), t('remote_user')]);
  else if (!can('users.get')) fields.push([t('account_state'), t('account_hidden')]);
  if (cases !== undefined) {
    fields.push([
      t('cases_about'),
      <TextLink key="cases" to="/reports" search={{ user: id, state: 'all' }}>
        {t('case_count', { count: cases.total, formatted: format.number(cases.total) })}
      </TextLink>,
    ]);
  }
  return <Fields fields={fields} />;
}

function UserStates({ user }: { readonly user: User }) {
  const { t } = useTranslation('reports');
  const states: readonly (readonly [boolean, string, string])[] = [
    [user.admin === 1, t('is_admin'), 'violet'],
    [user.deactivated === 1, user.erased ? t('is_erased') : t('is_deactivated'), 'gray'],
    [user.suspended, t('is_suspended'), 'orange'],
    [user.locked, t('is_locked'), 'red'],
    [user.shadow_banned === 1, t('is_shadow_banned'), 'gray'],
    [user.is_guest === 1, t('is_guest'), 'gray'],
  ];
  return <Badges shown={states} none={t('is_active')} />;
}

function RoomFacts({ id }: { readonly id: string }) {
  const { t } = useTranslation('reports');
  const format = useFormat();
  // A list, which is empty when the room is gone, so that nothing is refused.
  const { data } = useRead('rooms.list', { search_term: id, limit: 1 });
  const { data: blocked } = useRead('rooms.list', { search_term: id, blocked: true, limit: 1 });
  const room = data?.rooms.find(({ room_id: each }) => each === id);
  const fields: Field[] = [[t('room'), <Room key="room" id={id} />]];
  if (room !== undefined) {
    fields.push(
      [t('room_name'), <bdi key="name">{room.name ?? room.canonical_alias ?? '–'}</bdi>],
      [t('room_members'), format.number(room.joined_members)],
      [t('room_state'), <RoomStates key="states" room={room} blocked={blocked?.total_rooms === 1} />],
    );
  } else if (data !== undefined) fields.push([t('room_state'), t('room_gone')]);
  return <Fields fields={fields} />;
}

function RoomStates({ room, blocked }: { readonly room: RoomListEntry; readonly blocked: boolean }) {
  const { t } = useTranslation('reports');
  const states: readonly (readonly [boolean, string, string])[] = [
    [blocked, t('is_blocked'), 'red'],
    [room.encryption !== null, t('is_encrypted'), 'green'],
    [room.public, t('is_public'), 'blue'],
  ];
  return <Badges shown={states} none="–" />;
}

interface BadgesProps {
  readonly shown: readonly (readonly [shown: boolean, words: string, colour: string])[];
  readonly none: ReactNode;
}

function Badges({ shown, none }: BadgesProps) {
  const found = shown.filter(([isShown]) => isShown);
  if (found.length === 0) return <Text size="sm">{none}</Text>;
  return (
    <Group gap={4}>
      {found.map(([, words, colour]) => (
        <Badge key={words} variant="outline" tt="none" color={colour}>
          {words}
        </Badge>
      ))}
    </Group>
  );
}
