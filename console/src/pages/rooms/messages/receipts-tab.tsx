import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Person } from '../../../ui/faces/person.tsx';
import { Note, QueryState } from '../../../ui/query-state.tsx';
import type { Column } from '../../../ui/table/column.ts';
import { DataTable } from '../../../ui/table/data-table.tsx';
import { Time } from '../../../ui/time.tsx';
import { rowsOfList } from '../parts/rows-of-list.ts';
import { useContent } from '../room/use-content.ts';
import { EventLink } from './event-link.tsx';

/** The most reading positions that are shown, the newest ones. */
const SHOWN = 1_000;

/** How far a user has read a room, or a thread. */
interface Receipt {
  readonly user_id: string;
  readonly type: string;
  readonly event_id: string;
  readonly ts: number;
  readonly thread_id?: string;
}

const idOf = ({ user_id, type, thread_id = '' }: Receipt) => `${user_id} ${type} ${thread_id}`;

/** How far users have read a room. */
export function ReceiptsTab({ roomId }: { readonly roomId: string }) {
  const query = useContent(roomId, 'rooms.listReceipts', { room_id: roomId, limit: SHOWN });
  return (
    <QueryState query={query} operation="rooms.listReceipts">
      {({ receipts }) => <Receipts receipts={receipts} />}
    </QueryState>
  );
}

function Receipts({ receipts }: { readonly receipts: readonly Receipt[] }) {
  const { t } = useTranslation('rooms');
  const rows = useMemo(() => rowsOfList(receipts), [receipts]);
  const columns = useMemo<readonly Column<Receipt>[]>(
    () => [
      { id: 'user', header: t('user_id'), width: 220, cell: ({ user_id: id }) => <Person id={id} /> },
      {
        id: 'event',
        header: t('read_up_to'),
        width: 260,
        cell: ({ event_id: eventId }) => <EventLink eventId={eventId} />,
      },
      { id: 'time', header: t('read_at'), width: 150, cell: ({ ts }) => <Time ms={ts} /> },
      {
        id: 'kind',
        header: t('read_kind'),
        width: 180,
        cell: ({ type, thread_id: thread }) => (
          <>
            {t(type === 'm.read.private' ? 'read_private' : 'read_public')}
            {thread !== undefined && (
              <>
                , {t('read_thread')} <bdi>{thread}</bdi>
              </>
            )}
          </>
        ),
      },
    ],
    [t],
  );
  if (receipts.length === 0) return <Note>{t('receipts_empty')}</Note>;
  return (
    <DataTable
      label={t('tab_receipts')}
      columns={columns}
      rows={rows}
      idOf={idOf}
      empty={t('receipts_empty')}
    />
  );
}
