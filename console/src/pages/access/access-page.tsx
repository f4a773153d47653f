import { Tabs } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { useTranslation } from 'react-i18next';
import { type Can, useCan } from '../../api/use-can.ts';
import { Page } from '../../ui/page.tsx';
import { Note } from '../../ui/query-state.tsx';
import { Holders } from './holders.tsx';
import { NoticeForm } from './notice-form.tsx';
import { RegistrationTokens } from './registration-tokens.tsx';
import { Roles } from './roles.tsx';
import { Tokens } from './tokens.tsx';
import { Webhooks } from './webhooks.tsx';

interface AccessTab {
  readonly id: 'roles' | 'sessions' | 'tokens' | 'webhooks' | 'registration' | 'notices';
  readonly isOpen: (can: Can) => boolean;
  readonly Content: ComponentType;
}

const TABS: readonly AccessTab[] = [
  { id: 'roles', isOpen: (can) => can('roles.list'), Content: Roles },
  { id: 'tokens', isOpen: (can) => can('tokens.list'), Content: Tokens },
  {
    id: 'sessions',
    // The filter by role needs a scope of its own.
    isOpen: (can) => can('users.list', 'access:read') && can('users.listSessions'),
    Content: Holders,
  },
  { id: 'webhooks', isOpen: (can) => can('webhooks.list'), Content: Webhooks },
  { id: 'registration', isOpen: (can) => can('registrationTokens.list'), Content: RegistrationTokens },
  { id: 'notices', isOpen: (can) => can('notices.put'), Content: NoticeForm },
];

/** What governs access to the server, as far as the user may read it. */
export function AccessPage() {
  // Also what its tabs say: a tab that waited for its messages would hide the page.
  const { t } = useTranslation(['access', 'common', 'scopes', 'session']);
  const can = useCan();
  const { tab: wanted } = useSearch({ from: '/access' });
  const navigate = useNavigate({ from: '/access' });
  const open = TABS.filter(({ isOpen }) => isOpen(can));
  const [first] = open;
  if (first === undefined) {
    return (
      <Page title={t('common:nav.access')}>
        <Note>{t('nothing')}</Note>
      </Page>
    );
  }
  const tab = open.find(({ id }) => id === wanted)?.id ?? first.id;
  return (
    <Page title={t('common:nav.access')} fill>
      <Tabs
        value={tab}
        onChange={(next) => navigate({ search: { tab: next ?? undefined } })}
        keepMounted={false}
        className="tabs-fill"
      >
        <Tabs.List mb="sm">
          {open.map(({ id }) => (
            <Tabs.Tab key={id} value={id}>
              {t(`tab_${id}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {open.map(({ id, Content }) => (
          <Tabs.Panel key={id} value={id} className="tab-fill">
            <Content />
          </Tabs.Panel>
        ))}
      </Tabs>
    </Page>
  );
}
