import { Tabs } from '@mantine/core';
import type { User } from '@steward/sdk';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../../api/use-can.ts';
import type { Operation } from '../../../client/operation.ts';
import { AccountDataTab } from './account-data-tab.tsx';
import { ActivityTab } from './activity-tab.tsx';
import { DevicesTab } from './devices-tab.tsx';
import { LimitsTab } from './limits-tab.tsx';
import { MediaTab } from './media-tab.tsx';
import { ProfileTab } from './profile-tab.tsx';
import { PushersTab } from './pushers-tab.tsx';
import { ReportsTab } from './reports-tab.tsx';
import { RolesTab } from './roles-tab.tsx';
import { RoomsTab } from './rooms-tab.tsx';
import { SessionsTab } from './sessions-tab.tsx';

interface UserTabsProps {
  readonly userId: string;
  /** The account; undefined for a user of another server, who has none here. */
  readonly user: User | undefined;
}

type TabKey =
  | 'profile'
  | 'devices'
  | 'sessions'
  | 'rooms'
  | 'media'
  | 'pushers'
  | 'limits'
  | 'roles'
  | 'activity'
  | 'reports'
  | 'data';

interface TabOfUser {
  readonly key: TabKey;
  /** What the tab reads: without its scope there is no tab. */
  readonly operation: Operation;
  readonly content: ReactNode;
}

/** What is known of a user, in tabs, of which the URL has the open one. */
export function UserTabs({ userId, user }: UserTabsProps) {
  const { t } = useTranslation('users');
  const can = useCan();
  const { tab } = useSearch({ from: '/users/$userId' });
  const navigate = useNavigate({ from: '/users/$userId' });
  const ofAccount: readonly TabOfUser[] =
    user === undefined
      ? []
      : [
          { key: 'profile', operation: 'users.get', content: <ProfileTab user={user} /> },
          { key: 'devices', operation: 'devices.list', content: <DevicesTab userId={userId} /> },
          { key: 'sessions', operation: 'users.listSessions', content: <SessionsTab userId={userId} /> },
          { key: 'media', operation: 'users.listMedia', content: <MediaTab userId={userId} /> },
          { key: 'pushers', operation: 'users.listPushers', content: <PushersTab userId={userId} /> },
          { key: 'limits', operation: 'users.getQuotas', content: <LimitsTab userId={userId} /> },
          { key: 'roles', operation: 'users.getRoles', content: <RolesTab userId={userId} /> },
          { key: 'data', operation: 'users.listAccountData', content: <AccountDataTab userId={userId} /> },
        ];
  const ofAnyUser: readonly TabOfUser[] = [
    { key: 'rooms', operation: 'users.listMemberships', content: <RoomsTab userId={userId} /> },
    { key: 'activity', operation: 'users.listActivity', content: <ActivityTab userId={userId} /> },
    { key: 'reports', operation: 'reports.list', content: <ReportsTab userId={userId} /> },
  ];
  const tabs = [...ofAccount, ...ofAnyUser]
    .filter(({ operation }) => can(operation))
    .sort((a, b) => ORDER.indexOf(a.key) - ORDER.indexOf(b.key));
  const [first] = tabs;
  const open = tabs.find(({ key }) => key === tab) ?? first;
  if (first === undefined || open === undefined) return null;
  return (
    <Tabs
      value={open.key}
      onChange={(next) => navigate({ search: next === first.key ? {} : { tab: next ?? undefined } })}
      keepMounted={false}
    >
      <Tabs.List mb="md">
        {tabs.map(({ key }) => (
          <Tabs.Tab key={key} value={key}>
            {t(`tab.${key}`)}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {tabs.map(({ key, content }) => (
        <Tabs.Panel key={key} value={key}>
          {content}
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}

const ORDER: readonly TabKey[] = [
  'profile',
  'devices',
  'sessions',
  'rooms',
  'media',
  'activity',
  'reports',
  'limits',
  'roles',
  'pushers',
  'data',
];
