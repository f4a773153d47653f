import { Tabs } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../api/use-can.ts';
import { Page } from '../../ui/page.tsx';
import { DeadLetters } from './dead-letters.tsx';
import { TaskList } from './task-list.tsx';

/** The tasks of all services, and the changes that could not be passed on. */
export function TasksPage() {
  const { t } = useTranslation('tasks');
  const can = useCan();
  const { tab = 'tasks' } = useSearch({ from: '/tasks' });
  const navigate = useNavigate({ from: '/tasks' });
  return (
    <Page title={t('title')} fill>
      <Tabs
        value={String(tab)}
        onChange={(next) => navigate({ search: next === 'tasks' ? {} : { tab: next ?? undefined } })}
        keepMounted={false}
        className="tabs-fill"
      >
        <Tabs.List mb="sm">
          <Tabs.Tab value="tasks">{t('tab_tasks')}</Tabs.Tab>
          {can('deadLetters.list') && <Tabs.Tab value="dead-letters">{t('tab_dead_letters')}</Tabs.Tab>}
        </Tabs.List>
        <Tabs.Panel value="tasks" className="tab-fill">
          <TaskList />
        </Tabs.Panel>
        <Tabs.Panel value="dead-letters" className="tab-fill">
          <DeadLetters />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}
