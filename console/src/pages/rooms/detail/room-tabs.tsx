import { Box, Tabs } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { type Can, useCan } from '../../../api/use-can.ts';
import { DeletionsTab } from '../deletion/deletions-tab.tsx';
import { MediaTab } from '../media/media-tab.tsx';
import { MembersTab } from '../members/members-tab.tsx';
import { MessagesTab } from '../messages/messages-tab.tsx';
import { ReceiptsTab } from '../messages/receipts-tab.tsx';
import { SPACE } from '../room/room-type.ts';
import type { Room } from '../room/use-room.ts';
import { StateTab } from '../state/state-tab.tsx';
import { AliasesTab } from './aliases-tab.tsx';
import { ExtremitiesTab } from './extremities-tab.tsx';
import { HierarchyTab } from './hierarchy-tab.tsx';
import { OverviewTab } from './overview-tab.tsx';
import { RoomTasks } from './room-tasks.tsx';

interface TabOfRoom {
  readonly key:
    | 'overview'
    | 'members'
    | 'messages'
    | 'receipts'
    | 'state'
    | 'media'
    | 'hierarchy'
    | 'aliases'
    | 'extremities'
    | 'deletions'
    | 'tasks';
  /** Whether it lays out its content by itself, so that a table in it scrolls. */
  readonly fill?: boolean;
  readonly isOpen?: (can: Can, room: Room) => boolean;
  readonly content: (room: Room) => ReactNode;
}

/** The tabs. What the user may not read for its content says so; other tabs are absent. */
const TABS: readonly TabOfRoom[] = [
  { key: 'overview', content: (room) => <OverviewTab room={room} /> },
  { key: 'members', fill: true, content: (room) => <MembersTab room={room} /> },
  { key: 'messages', fill: true, content: (room) => <MessagesTab room={room} /> },
  {
    key: 'receipts',
    fill: true,
    isOpen: (can) => can('rooms.listReceipts'),
    content: (room) => <ReceiptsTab roomId={room.room_id} />,
  },
  { key: 'state', content: (room) => <StateTab room={room} /> },
  {
    key: 'media',
    isOpen: (can) => can('media.list'),
    content: (room) => <MediaTab roomId={room.room_id} />,
  },
  {
    key: 'hierarchy',
    fill: true,
    isOpen: (_, room) => room.room_type === SPACE,
    content: (room) => <HierarchyTab roomId={room.room_id} />,
  },
  { key: 'aliases', content: (room) => <AliasesTab room={room} /> },
  { key: 'extremities', fill: true, content: (room) => <ExtremitiesTab roomId={room.room_id} /> },
  {
    key: 'deletions',
    isOpen: (can) => can('tasks.list') || can('rooms.beginDeletion'),
    content: (room) => <DeletionsTab roomId={room.room_id} />,
  },
  {
    key: 'tasks',
    fill: true,
    isOpen: (can) => can('tasks.list'),
    content: (room) => <RoomTasks roomId={room.room_id} />,
  },
];

/** The parts of the page of a room. */
export function RoomTabs({ room }: { readonly room: Room }) {
  const { t } = useTranslation('rooms');
  const can = useCan();
  const search = useSearch({ from: '/rooms/$roomId' });
  const navigate = useNavigate({ from: '/rooms/$roomId' });
  const tabs = TABS.filter(({ isOpen }) => isOpen?.(can, room) ?? true);
  const chosen = tabs.find(({ key }) => key === search.tab)?.key ?? 'overview';
  const list = useRef<HTMLDivElement>(null);
  // On a small screen the tab that the URL names may be out of sight.
  useEffect(() => {
    list.current
      ?.querySelector('[aria-selected="true"]')
      ?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [chosen]);
  return (
    <Tabs
      value={chosen}
      onChange={(next) => navigate({ search: next === 'overview' ? {} : { tab: next ?? undefined } })}
      keepMounted={false}
      className="tabs-fill"
    >
      <Tabs.List ref={list} mb="sm" style={{ flexWrap: 'nowrap', overflowX: 'auto', overflowY: 'hidden' }}>
        {tabs.map(({ key }) => (
          <Tabs.Tab key={key} value={key} style={{ flexShrink: 0 }}>
            {t(`tab_${key}`)}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {tabs.map(({ key, fill = false, content }) => (
        <Tabs.Panel key={key} value={key} className="tab-fill">
          {fill ? content(room) : <Box className="room-scroll">{content(room)}</Box>}
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}
