import { titleOfRoom } from '../../ui/titles.ts';
import './rooms.css';
import { useParams, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Page } from '../../ui/page.tsx';
import { QueryState } from '../../ui/query-state.tsx';
import { RoomHeader } from './detail/room-header.tsx';
import { RoomTabs } from './detail/room-tabs.tsx';
import { UnknownRoom } from './detail/unknown-room.tsx';
import { RoomOrders } from './orders/room-orders.tsx';
import { useContentRefresh } from './room/use-content.ts';
import { useRoom } from './room/use-room.ts';

/** One room: what it is, what happens in it, and the orders for it. */
export function RoomPage() {
  const { roomId } = useParams({ from: '/rooms/$roomId' });
  return <RoomView key={roomId} roomId={roomId} />;
}

function RoomView({ roomId }: { readonly roomId: string }) {
  const { t } = useTranslation('rooms');
  const { tab } = useSearch({ from: '/rooms/$roomId' });
  // Deletions are ordered there, and most last less than a second.
  const query = useRoom(roomId, tab === 'deletions');
  useContentRefresh(roomId);
  const room = query.data;
  const title = room ? titleOfRoom(room.room_id, room) : room === null ? t('unknown_room') : t('room');
  return (
    <Page title={title} fill actions={room ? <RoomOrders room={room} /> : undefined}>
      <QueryState query={query} operation="rooms.get">
        {(known) =>
          known === null ? (
            <UnknownRoom roomId={roomId} />
          ) : (
            <>
              <RoomHeader room={known} />
              <RoomTabs room={known} />
            </>
          )
        }
      </QueryState>
    </Page>
  );
}
