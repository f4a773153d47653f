import { Badge, Group } from '@mantine/core';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { RowSource } from '../../../api/row-source.ts';
import { useRead } from '../../../api/use-read.ts';
import { Room } from '../../../ui/faces/room.tsx';
import { OrderButton } from '../../../ui/order/order-button.tsx';
import { QueryState } from '../../../ui/query-state.tsx';
import type { Column } from '../../../ui/table/column.ts';
import { DataTable } from '../../../ui/table/data-table.tsx';
import { Section } from './section.tsx';
import { TableBox } from './table-box.tsx';

interface Membership {
  readonly roomId: string;
  readonly membership: string;
}

const COLOURS: Readonly<Record<string, string>> = {
  join: 'green',
  invite: 'blue',
  knock: 'grape',
  ban: 'red',
};
const KNOWN = ['join', 'invite', 'knock', 'leave', 'ban'] as const;
const ORDER: readonly string[] = KNOWN;
const idOf = ({ roomId }: Membership) => roomId;

/** The rooms in which a user is or was, with the orders about the membership. */
export function RoomsTab({ userId }: { readonly userId: string }) {
  const { t } = useTranslation('users');
  const query = useRead('users.listMemberships', { user_id: userId });
  const columns = useColumnsOfRooms(userId);
  const memberships = query.data?.memberships;
  const rows = useMemo(() => rowsOf(memberships ?? {}), [memberships]);
  return (
    <Section title={t('tab.rooms')}>
      <QueryState query={query} operation="users.listMemberships">
        {() => (
          <TableBox>
            <DataTable
              label={t('tab.rooms')}
              columns={columns}
              rows={rows}
              idOf={idOf}
              empty={t('rooms.none')}
            />
          </TableBox>
        )}
      </QueryState>
    </Section>
  );
}

/** All rows are there: present memberships first. */
function rowsOf(memberships: Readonly<Record<string, string>>): RowSource<Membership> {
  const rows = Object.entries(memberships)
    .map(([roomId, membership]) => ({ roomId, membership }))
    .sort((a, b) => ORDER.indexOf(a.membership) - ORDER.indexOf(b.membership));
  return {
    count: rows.length,
    total: rows.length,
    at: (index) => rows[index],
    show: () => undefined,
    loading: false,
    error: null,
    retry: () => undefined,
  };
}

function useColumnsOfRooms(userId: string): readonly Column<Membership>[] {
  const { t } = useTranslation('users');
  return useMemo(
    () => [
      {
        id: 'room',
        header: t('rooms.room'),
        width: 260,
        grow: 2,
        cell: ({ roomId }) => <Room id={roomId} />,
      },
      {
        id: 'membership',
        header: t('rooms.membership'),
        width: 120,
        grow: 0.4,
        cell: ({ membership }) => <MembershipBadge membership={membership} />,
      },
      {
        id: 'orders',
        header: t('orders_of_row'),
        width: 180,
        grow: 0.4,
        cell: ({ roomId, membership }) => (
          <Group gap="xs" wrap="nowrap">
            {['join', 'invite', 'knock'].includes(membership) && (
              <OrderButton
                operation="rooms.kickUser"
                title={t('rooms.kick')}
                consequences={[t('rooms.kick_effect')]}
                params={{ room_id: roomId, user_id: userId }}
                danger
                button={{ size: 'compact-xs' }}
              />
            )}
            {membership === 'ban' ? (
              <OrderButton
                operation="rooms.unbanUser"
                title={t('rooms.unban')}
                consequences={[t('rooms.unban_effect')]}
                params={{ room_id: roomId, user_id: userId }}
                button={{ size: 'compact-xs' }}
              />
            ) : (
              <OrderButton
                operation="rooms.banUser"
                title={t('rooms.ban')}
                consequences={[t('rooms.ban_effect')]}
                params={{ room_id: roomId, user_id: userId }}
                danger
                button={{ size: 'compact-xs' }}
              />
            )}
          </Group>
        ),
      },
    ],
    [t, userId],
  );
}

function MembershipBadge({ membership }: { readonly membership: string }) {
  const { t } = useTranslation('users');
  const known = KNOWN.find((each) => each === membership);
  return (
    <Badge variant="outline" tt="none" size="sm" color={COLOURS[membership] ?? 'gray'}>
      {known === undefined ? membership : t(`membership.${known}`)}
    </Badge>
  );
}
