import type { RoomListEntry } from '@steward/sdk';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../i18n/use-format.ts';
import { Person } from '../../../ui/faces/person.tsx';
import { Room } from '../../../ui/faces/room.tsx';
import type { Column } from '../../../ui/table/column.ts';
import { Time } from '../../../ui/time.tsx';
import { Mark } from '../parts/mark.tsx';
import { SPACE } from '../room/room-type.ts';

/** The columns of the list of rooms. */
export function useRoomColumns(): readonly Column<RoomListEntry>[] {
  const { t } = useTranslation('rooms');
  const { t: common } = useTranslation();
  const format = useFormat();
  return useMemo(() => {
    const yesNo = (value: boolean) => (value ? common('table.yes') : common('table.no'));
    const time = (ms: number | undefined) => (ms ? new Date(ms).toISOString() : null);
    return [
      {
        id: 'name',
        header: t('room'),
        width: 240,
        grow: 2,
        sortKey: 'name',
        csv: ({ name }) => name,
        cell: (room) => <NameCell room={room} />,
      },
      {
        id: 'room_id',
        header: t('room_id'),
        width: 220,
        hidden: true,
        csv: ({ room_id: id }) => id,
        cell: ({ room_id: id }) => <bdi title={id}>{id}</bdi>,
      },
      {
        id: 'canonical_alias',
        header: t('alias'),
        width: 170,
        hidden: true,
        sortKey: 'canonical_alias',
        csv: ({ canonical_alias: alias }) => alias,
        cell: ({ canonical_alias: alias }) => <bdi title={alias ?? undefined}>{alias}</bdi>,
      },
      {
        id: 'joined_members',
        header: t('members'),
        width: 100,
        grow: 0.3,
        sortKey: 'joined_members',
        csv: ({ joined_members: count }) => count,
        cell: ({ joined_members: count }) => format.number(count),
      },
      {
        id: 'joined_local_members',
        header: t('local_members'),
        width: 90,
        grow: 0.3,
        sortKey: 'joined_local_members',
        csv: ({ joined_local_members: count }) => count,
        cell: ({ joined_local_members: count }) => format.number(count),
      },
      {
        id: 'last_activity',
        header: t('last_activity'),
        width: 130,
        grow: 0.5,
        sortKey: 'last_activity',
        csv: ({ details }) => time(details?.last_activity_ts),
        cell: ({ details }) => <Time ms={details?.last_activity_ts} />,
      },
      {
        id: 'messages',
        header: t('messages'),
        width: 110,
        grow: 0.3,
        sortKey: 'messages',
        csv: ({ details }) => details?.message_count,
        cell: ({ details }) =>
          typeof details?.message_count === 'number'
            ? format.number(details.message_count)
            : t('not_counted_yet'),
      },
      {
        id: 'bytes',
        header: t('bytes'),
        width: 100,
        grow: 0.3,
        hidden: true,
        sortKey: 'bytes',
        csv: ({ details }) => details?.stored_bytes,
        cell: ({ details }) => format.bytes(details?.stored_bytes ?? 0),
      },
      {
        id: 'creator',
        header: t('creator'),
        width: 170,
        sortKey: 'creator',
        csv: ({ creator }) => creator,
        cell: ({ creator }) => <Person id={creator} />,
      },
      {
        id: 'created',
        header: t('created'),
        width: 120,
        grow: 0.5,
        hidden: true,
        sortKey: 'created',
        csv: ({ details }) => time(details?.created_ts),
        cell: ({ details }) => <Time ms={details?.created_ts} />,
      },
      {
        id: 'version',
        header: t('version'),
        width: 90,
        grow: 0.2,
        hidden: true,
        sortKey: 'version',
        csv: ({ version }) => version,
        cell: ({ version }) => <bdi>{version}</bdi>,
      },
      {
        id: 'encryption',
        header: t('encryption'),
        width: 120,
        grow: 0.5,
        hidden: true,
        sortKey: 'encryption',
        csv: ({ encryption }) => encryption,
        cell: ({ encryption }) => (
          <bdi title={encryption ?? undefined}>{encryption ?? t('not_encrypted')}</bdi>
        ),
      },
      {
        id: 'public',
        header: t('in_directory'),
        width: 110,
        grow: 0.3,
        hidden: true,
        sortKey: 'public',
        csv: (room) => room.public,
        cell: (room) => yesNo(room.public),
      },
      {
        id: 'join_rules',
        header: t('join_rule'),
        width: 110,
        grow: 0.4,
        hidden: true,
        sortKey: 'join_rules',
        csv: ({ join_rules: rule }) => rule,
        cell: ({ join_rules: rule }) => <bdi>{rule}</bdi>,
      },
      {
        id: 'history_visibility',
        header: t('history_visibility'),
        width: 140,
        grow: 0.4,
        hidden: true,
        sortKey: 'history_visibility',
        csv: ({ history_visibility: visibility }) => visibility,
        cell: ({ history_visibility: visibility }) => <bdi>{visibility}</bdi>,
      },
      {
        id: 'guest_access',
        header: t('guest_access'),
        width: 120,
        grow: 0.4,
        hidden: true,
        sortKey: 'guest_access',
        csv: ({ guest_access: access }) => access,
        cell: ({ guest_access: access }) => <bdi>{access}</bdi>,
      },
      {
        id: 'federatable',
        header: t('federatable'),
        width: 120,
        grow: 0.3,
        hidden: true,
        sortKey: 'federatable',
        csv: ({ federatable }) => federatable,
        cell: ({ federatable }) => yesNo(federatable),
      },
      {
        id: 'state_events',
        header: t('state_events'),
        width: 120,
        grow: 0.3,
        hidden: true,
        sortKey: 'state_events',
        csv: ({ state_events: count }) => count,
        cell: ({ state_events: count }) => format.number(count),
      },
      {
        id: 'blocked',
        header: t('blocked'),
        width: 100,
        grow: 0.2,
        hidden: true,
        csv: ({ details }) => details?.blocked,
        cell: ({ details }) => yesNo(details?.blocked ?? false),
      },
    ];
  }, [t, common, format]);
}

/** A room, and what matters about it at a glance. */
function NameCell({ room }: { readonly room: RoomListEntry }) {
  const { t } = useTranslation('rooms');
  const { room_id: id, name, canonical_alias, room_type: type, encryption, details } = room;
  const marks = (
    <>
      {type === SPACE && <Mark colour="violet">{t('space')}</Mark>}
      {encryption !== null && <Mark colour="teal">{t('encrypted')}</Mark>}
      {details?.blocked === true && <Mark colour="red">{t('blocked')}</Mark>}
      {details?.tombstoned === true && <Mark colour="gray">{t('replaced')}</Mark>}
    </>
  );
  return <Room id={id} known={{ name, canonical_alias }} marks={marks} />;
}
