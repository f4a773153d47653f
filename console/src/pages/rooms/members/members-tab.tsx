import { Button, Group, Select, Switch, Text, TextInput } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../../api/use-can.ts';
import { useFormat } from '../../../i18n/use-format.ts';
import { Person } from '../../../ui/faces/person.tsx';
import { cleanText } from '../../../ui/input/clean-text.ts';
import { Note, QueryState } from '../../../ui/query-state.tsx';
import type { Column } from '../../../ui/table/column.ts';
import { DataTable } from '../../../ui/table/data-table.tsx';
import { SelectionBar } from '../../../ui/table/selection-bar.tsx';
import { useSelection } from '../../../ui/table/use-selection.ts';
import { ContentNote } from '../parts/content-note.tsx';
import { rowsOfList } from '../parts/rows-of-list.ts';
import type { Room } from '../room/use-room.ts';
import { type ChosenOrder, MEMBER_ORDERS, type MemberOrder, MemberOrderDialogs } from './member-orders.tsx';
import { MEMBERSHIPS, type Member, type Membership, useMembers } from './use-members.ts';

/** What can be ordered for users with a membership. */
const ORDERS_OF: Readonly<Record<Membership, readonly MemberOrder[]>> = {
  join: ['kick', 'ban'],
  invite: ['kick', 'ban'],
  knock: ['kick', 'ban'],
  ban: ['unban'],
  leave: ['ban'],
};

const idOf = (member: Member) => member.userId;

/** The members of a room, and those who were invited or banned or have left. */
export function MembersTab({ room }: { readonly room: Room }) {
  const { t } = useTranslation('rooms');
  const { t: common } = useTranslation();
  const format = useFormat();
  const can = useCan();
  const search = useSearch({ from: '/rooms/$roomId' });
  const navigate = useNavigate({ from: '/rooms/$roomId' });
  const [withState, setWithState] = useState(false);
  const [chosen, setChosen] = useState<ChosenOrder>();
  const selection = useSelection();
  const mayReadState = can('rooms.listState');
  const membership = MEMBERSHIPS.find((each) => each === search.membership) ?? 'join';
  const { members, query } = useMembers(room.room_id, membership, withState && mayReadState);
  const wanted = cleanText(String(search.user ?? '')).toLowerCase();
  const shown = useMemo(
    () => members.filter(({ userId, name }) => `${userId} ${name ?? ''}`.toLowerCase().includes(wanted)),
    [members, wanted],
  );
  const rows = useMemo(() => rowsOfList(shown), [shown]);
  const orders = useMemo(
    () => ORDERS_OF[membership].filter((order) => can(MEMBER_ORDERS[order])),
    [membership, can],
  );
  const change = (part: Record<string, string | undefined>) =>
    navigate({ search: (before) => ({ ...before, ...part }), replace: true });
  const withDetails = withState || membership !== 'join';
  const columns = useMemo<readonly Column<Member>[]>(
    () => [
      {
        id: 'user',
        header: t('user_id'),
        width: 220,
        grow: 2,
        cell: ({ userId }) => <Person id={userId} />,
      },
      ...(withDetails
        ? [
            { id: 'name', header: t('name'), width: 160, cell: ({ name }: Member) => <bdi>{name}</bdi> },
            {
              id: 'power',
              header: t('power'),
              width: 110,
              grow: 0.3,
              cell: ({ power }: Member) => (power === undefined ? '' : format.number(power)),
            },
            {
              id: 'reason',
              header: t('event_reason'),
              width: 160,
              cell: ({ reason }: Member) => <bdi>{reason}</bdi>,
            },
          ]
        : []),
      ...(orders.length > 0
        ? [
            {
              id: 'orders',
              header: t('orders'),
              width: 215,
              grow: 0.4,
              cell: ({ userId }: Member) => (
                <Group gap={4} wrap="nowrap">
                  {orders.map((order) => (
                    <Button
                      key={order}
                      size="compact-xs"
                      variant="default"
                      aria-label={`${t(order)}: ${userId}`}
                      onClick={() => setChosen({ order, userIds: [userId], several: false })}
                    >
                      {t(order)}
                    </Button>
                  ))}
                </Group>
              ),
            },
          ]
        : []),
    ],
    [t, format, withDetails, orders],
  );
  return (
    <>
      <Group gap="xs" mb="sm" align="center">
        <Select
          size="xs"
          w={170}
          aria-label={t('membership')}
          data={MEMBERSHIPS.map((value) => ({ value, label: t(`membership_${value}`) }))}
          value={membership}
          allowDeselect={false}
          onChange={(next) => {
            selection.clear();
            change({ membership: next === 'join' ? undefined : (next ?? undefined) });
          }}
        />
        <TextInput
          size="xs"
          type="search"
          className="filter-main"
          aria-label={t('find_user')}
          placeholder={t('find_user')}
          value={String(search.user ?? '')}
          onChange={(event) => change({ user: event.currentTarget.value || undefined })}
          spellCheck={false}
          autoComplete="off"
        />
        {membership === 'join' && mayReadState && (
          <Switch
            size="xs"
            label={t('with_state')}
            checked={withState}
            onChange={(event) => setWithState(event.currentTarget.checked)}
          />
        )}
        {can('rooms.banUser') && (
          <Button
            size="xs"
            variant="default"
            onClick={() => setChosen({ order: 'ban', userIds: undefined, several: false })}
          >
            {t('ban_by_id')}
          </Button>
        )}
        <Text size="sm" c="dimmed" role="status">
          {common('table.total', { count: shown.length, formatted: format.number(shown.length) })}
        </Text>
      </Group>
      <SelectionBar selection={selection} rows={rows} idOf={idOf}>
        {orders.map((order) => (
          <Button
            key={order}
            size="compact-sm"
            variant="default"
            onClick={() => setChosen({ order, userIds: selection.ids, several: true })}
          >
            {t(order)}
          </Button>
        ))}
      </SelectionBar>
      {membership !== 'join' && !mayReadState ? (
        <ContentNote what={t(`membership_${membership}`)} />
      ) : (
        <QueryState query={query} operation={membership === 'join' ? 'rooms.listMembers' : 'rooms.listState'}>
          {() =>
            shown.length === 0 ? (
              <Note>{wanted === '' ? t('members_empty') : common('state.no_match')}</Note>
            ) : (
              <DataTable
                label={t('tab_members')}
                columns={columns}
                rows={rows}
                idOf={idOf}
                selection={orders.length > 0 ? selection : undefined}
                empty={t('members_empty')}
              />
            )
          }
        </QueryState>
      )}
      <MemberOrderDialogs
        roomId={room.room_id}
        chosen={chosen}
        onClose={(sent) => {
          if (sent) selection.clear();
          setChosen(undefined);
        }}
      />
    </>
  );
}
