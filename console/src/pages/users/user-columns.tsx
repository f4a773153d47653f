import type { UserListEntry } from '@steward/sdk';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Person } from '../../ui/faces/person.tsx';
import type { Column } from '../../ui/table/column.ts';
import { Time } from '../../ui/time.tsx';
import { statesOf, UserStates } from './user-states.tsx';

const isoOf = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString());

/** The columns of the list of users. */
export function useUserColumns(): readonly Column<UserListEntry>[] {
  const { t } = useTranslation('users');
  const { t: common } = useTranslation();
  return useMemo(() => {
    const flag = (
      id: 'admin' | 'is_guest' | 'locked' | 'shadow_banned' | 'deactivated' | 'erased',
      header: string,
      sortKey?: string,
    ): Column<UserListEntry> => ({
      id,
      header,
      width: 120,
      grow: 0.4,
      hidden: true,
      ...(sortKey === undefined ? {} : { sortKey }),
      cell: (user) => (user[id] ? common('table.yes') : common('table.no')),
      csv: (user) => Boolean(user[id]),
    });
    return [
      {
        id: 'user_id',
        header: t('user'),
        width: 240,
        grow: 1.6,
        sortKey: 'name',
        cell: ({ name, displayname, avatar_url }) => <Person id={name} known={{ displayname, avatar_url }} />,
        csv: ({ name }) => name,
      },
      {
        id: 'displayname',
        header: t('displayname'),
        width: 160,
        hidden: true,
        sortKey: 'displayname',
        cell: ({ displayname }) => <bdi title={displayname ?? undefined}>{displayname}</bdi>,
        csv: ({ displayname }) => displayname,
      },
      {
        id: 'states',
        header: t('states'),
        width: 180,
        cell: (user) => <UserStates user={user} />,
        csv: (user) => statesOf(user).join(' '),
      },
      {
        id: 'user_type',
        header: t('user_type'),
        width: 100,
        grow: 0.5,
        sortKey: 'user_type',
        cell: ({ user_type: type }) => type,
        csv: ({ user_type: type }) => type,
      },
      {
        id: 'created',
        header: t('created'),
        width: 140,
        grow: 0.6,
        sortKey: 'creation_ts',
        cell: ({ creation_ts: ms }) => <Time ms={ms} />,
        csv: ({ creation_ts: ms }) => isoOf(ms),
      },
      {
        id: 'last_seen',
        header: t('last_seen'),
        width: 140,
        grow: 0.6,
        sortKey: 'last_seen_ts',
        cell: ({ last_seen_ts: ms }) => <Time ms={ms} />,
        csv: ({ last_seen_ts: ms }) => isoOf(ms),
      },
      flag('admin', t('state.admin'), 'admin'),
      flag('is_guest', t('state.guest'), 'is_guest'),
      flag('locked', t('state.locked'), 'locked'),
      flag('shadow_banned', t('state.shadow_banned'), 'shadow_banned'),
      flag('deactivated', t('state.deactivated'), 'deactivated'),
      flag('erased', t('state.erased')),
      {
        id: 'avatar_url',
        header: t('avatar'),
        width: 220,
        hidden: true,
        sortKey: 'avatar_url',
        cell: ({ avatar_url: uri }) => <bdi>{uri}</bdi>,
        csv: ({ avatar_url: uri }) => uri,
      },
    ];
  }, [t, common]);
}
