import { useNavigate, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Page } from '../../ui/page.tsx';
import { PageTabs } from '../../ui/page-tabs.tsx';
import { BlockRoomButton } from './blocked/block-room-button.tsx';
import { BlockedRooms } from './blocked/blocked-rooms.tsx';
import { RoomList } from './list/room-list.tsx';

/** The rooms of the server, and the blocks, which rooms that the server does not know have as well. */
export function RoomsPage() {
  const { t } = useTranslation('rooms');
  const { tab = 'rooms' } = useSearch({ from: '/rooms' });
  const navigate = useNavigate({ from: '/rooms' });
  return (
    <Page title={t('title')} fill actions={<BlockRoomButton />}>
      <PageTabs
        tab={String(tab)}
        onTab={(next) => navigate({ search: { tab: next } })}
        tabs={[
          { id: 'rooms', label: t('tab_rooms'), content: <RoomList /> },
          { id: 'blocked', label: t('tab_blocked'), content: <BlockedRooms /> },
        ]}
      />
    </Page>
  );
}
