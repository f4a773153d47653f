import { SimpleGrid } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../i18n/use-format.ts';
import { type Field, Fields } from '../../../ui/fields.tsx';
import { UserLink } from '../../../ui/links.tsx';
import { Time } from '../../../ui/time.tsx';
import { useDetails } from '../room/use-details.ts';
import type { Room } from '../room/use-room.ts';

/** The facts of a room. */
export function OverviewTab({ room }: { readonly room: Room }) {
  const { t } = useTranslation('rooms');
  const { t: common } = useTranslation();
  const format = useFormat();
  const details = useDetails(room.room_id);
  const yesNo = (value: boolean) => (value ? common('table.yes') : common('table.no'));
  const text = (value: string | null) => (value === null ? common('time.none') : <bdi>{value}</bdi>);
  const fields: readonly Field[] = [
    [t('name'), text(room.name)],
    [
      t('topic'),
      <span key="topic" style={{ whiteSpace: 'pre-wrap' }}>
        {text(room.topic)}
      </span>,
    ],
    [t('alias'), text(room.canonical_alias)],
    [
      t('members'),
      t('members_of_which', {
        count: room.joined_members,
        formatted: format.number(room.joined_members),
        local: format.number(room.joined_local_members),
      }),
    ],
    [t('local_devices'), format.number(room.joined_local_devices)],
    [t('creator'), <UserLink key="creator" id={room.creator} />],
    [t('version'), <bdi key="version">{room.version}</bdi>],
    [t('encryption'), room.encryption === null ? t('not_encrypted') : <bdi>{room.encryption}</bdi>],
    [t('join_rule'), text(room.join_rules)],
    [t('history_visibility'), text(room.history_visibility)],
    [t('guest_access'), text(room.guest_access)],
    [t('in_directory'), yesNo(room.public)],
    [t('federatable'), yesNo(room.federatable)],
    [t('room_type'), room.room_type === null ? t('ordinary_room') : <bdi>{room.room_type}</bdi>],
    [t('state_events'), format.number(room.state_events)],
    [t('forgotten'), yesNo(room.forgotten)],
  ];
  const more: readonly Field[] =
    details === undefined
      ? []
      : [
          [t('created'), <Time key="created" ms={details.created_ts} exact />],
          [t('last_activity'), <Time key="activity" ms={details.last_activity_ts} exact />],
          [
            t('messages'),
            details.message_count === null ? t('not_counted_yet') : format.number(details.message_count),
          ],
          [t('bytes'), format.bytes(details.stored_bytes)],
        ];
  const all = [...fields, ...more];
  const half = Math.ceil(all.length / 2);
  return (
    <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="xl" verticalSpacing={0}>
      <Fields fields={all.slice(0, half)} />
      <Fields fields={all.slice(half)} />
    </SimpleGrid>
  );
}
