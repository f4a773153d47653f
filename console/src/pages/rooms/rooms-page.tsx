import { Tabs } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Page } from '../../ui/page.tsx';
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
      <Tabs
        value={String(tab)}
        onChange={(next) => navigate({ search: next === 'rooms' ? {} : { tab: next ?? undefined } })}
        keepMounted={false}
        className="tabs-fill"
      >
        <Tabs.List mb="sm">
          <Tabs.Tab value="rooms">{t('tab_rooms')}</Tabs.Tab>
          <Tabs.Tab value="blocked">{t('tab_blocked')}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="rooms" className="tab-fill">
          <RoomList />
        </Tabs.Panel>
        <Tabs.Panel value="blocked" className="tab-fill">
          <BlockedRooms />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}
