import { Stack, Title } from '@mantine/core';
import type { Task } from '@steward/sdk';
import { useParams } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useRead } from '../../api/use-read.ts';
import { ErrorNotice } from '../../ui/errors/error-notice.tsx';
import { Fields } from '../../ui/fields.tsx';
import { IdText } from '../../ui/id-text.tsx';
import { JsonView } from '../../ui/json-view.tsx';
import { UserLink } from '../../ui/links.tsx';
import { OrderButton } from '../../ui/order/order-button.tsx';
import { Page } from '../../ui/page.tsx';
import { Note, QueryState } from '../../ui/query-state.tsx';
import { Time } from '../../ui/time.tsx';
import { TaskProgressBar } from './task-progress-bar.tsx';
import { TaskState } from './task-state.tsx';
import { TaskTarget } from './task-target.tsx';
import { isEnded, noResultKeyOf } from './task-words.ts';

/** Progress is announced in steps; in between the page asks, in milliseconds. */
const PROGRESS_MS = 2_000;

/** One task: its progress as it is made, its result, and its cancellation. */
export function TaskPage() {
  const { t } = useTranslation('tasks');
  const { taskId } = useParams({ from: '/tasks/$taskId' });
  const first = useRead('tasks.get', { task_id: taskId });
  const running = first.data !== undefined && !isEnded(first.data);
  const query = useRead('tasks.get', { task_id: taskId }, { everyMs: running ? PROGRESS_MS : undefined });
  return (
    <Page
      title={t('task')}
      actions={
        running && (
          <OrderButton
            operation="tasks.cancel"
            title={t('cancel')}
            consequences={[t('cancel_effect')]}
            params={{ task_id: taskId }}
            danger
          />
        )
      }
    >
      <QueryState query={query} operation="tasks.get">
        {(task) => <TaskDetails task={task} />}
      </QueryState>
    </Page>
  );
}

function TaskDetails({ task }: { readonly task: Task }) {
  const { t } = useTranslation('tasks');
  const { id, kind, requested_by: user, created_ts, started_ts, finished_ts, attempt, error, result } = task;
  return (
    <Stack>
      <Fields
        fields={[
          ['Id', <IdText key="id" id={id} />],
          [t('kind'), kind],
          [t('state'), <TaskState key="state" task={task} />],
          [t('progress'), <TaskProgressBar key="progress" task={task} />],
          [t('target'), <TaskTarget key="target" task={task} />],
          [t('requested_by'), user === null ? t('server') : <UserLink key="user" id={user} />],
          [t('created'), <Time key="created" ms={created_ts} exact />],
          [t('started'), <Time key="started" ms={started_ts} exact />],
          [t('finished'), <Time key="finished" ms={finished_ts} exact />],
          [t('attempt'), attempt],
        ]}
      />
      {error !== null && <ErrorNotice error={error} />}
      <Title order={2} size="h4">
        {t('result')}
      </Title>
      {result === null ? (
        <Note>{t(noResultKeyOf(task))}</Note>
      ) : (
        <JsonView label={t('result')} value={result} />
      )}
    </Stack>
  );
}
