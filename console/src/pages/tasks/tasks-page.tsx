import { useNavigate, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../api/use-can.ts';
import { Page } from '../../ui/page.tsx';
import { PageTabs } from '../../ui/page-tabs.tsx';
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
      <PageTabs
        tab={String(tab)}
        onTab={(next) => navigate({ search: { tab: next } })}
        tabs={[
          { id: 'tasks', label: t('tab_tasks'), content: <TaskList /> },
          {
            id: 'dead-letters',
            label: can('deadLetters.list') ? t('tab_dead_letters') : undefined,
            content: <DeadLetters />,
          },
        ]}
      />
    </Page>
  );
}
