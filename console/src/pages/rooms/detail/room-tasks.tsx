import type { ListTasksResponse, Task } from '@steward/sdk';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../../api/use-can.ts';
import { useCursorRows } from '../../../api/use-cursor-rows.ts';
import { Person } from '../../../ui/faces/person.tsx';
import { TaskLink } from '../../../ui/links.tsx';
import { OrderButton } from '../../../ui/order/order-button.tsx';
import { Note } from '../../../ui/query-state.tsx';
import type { Column } from '../../../ui/table/column.ts';
import { DataTable } from '../../../ui/table/data-table.tsx';
import { Time } from '../../../ui/time.tsx';
import { ENDED, TaskProgress } from '../parts/task-progress.tsx';

const rowsOf = (page: ListTasksResponse) => page.tasks;
const nextOf = (page: ListTasksResponse) => page.next_token;
const idOf = (task: Task) => task.id;

/** The tasks that work on a room, or did within the last day. */
export function RoomTasks({ roomId }: { readonly roomId: string }) {
  const { t } = useTranslation('rooms');
  const { t: tasks } = useTranslation('tasks');
  const { t: common } = useTranslation();
  const can = useCan();
  const params = useMemo(() => ({ target: roomId }), [roomId]);
  const rows = useCursorRows('tasks.list', params, { rowsOf, nextOf });
  const mayCancel = can('tasks.cancel');
  const columns = useMemo<readonly Column<Task>[]>(
    () => [
      {
        id: 'kind',
        header: tasks('kind'),
        width: 180,
        cell: ({ id, kind }) => <TaskLink id={id}>{kind}</TaskLink>,
      },
      { id: 'progress', header: tasks('progress'), width: 260, cell: (task) => <TaskProgress task={task} /> },
      {
        id: 'requested_by',
        header: tasks('requested_by'),
        width: 180,
        cell: ({ requested_by: user }) => (user === null ? tasks('server') : <Person id={user} />),
      },
      { id: 'created', header: tasks('created'), width: 130, cell: ({ created_ts: ms }) => <Time ms={ms} /> },
      { id: 'error', header: tasks('error'), width: 200, cell: ({ error }) => <bdi>{error}</bdi> },
      ...(mayCancel
        ? [
            {
              id: 'orders',
              header: t('orders'),
              width: 160,
              grow: 0.3,
              cell: (task: Task) =>
                !ENDED.has(task.state) && (
                  <OrderButton
                    operation="tasks.cancel"
                    title={tasks('cancel')}
                    consequences={[tasks('cancel_effect')]}
                    params={{ task_id: task.id }}
                    danger
                    button={{ size: 'compact-xs' }}
                  />
                ),
            },
          ]
        : []),
    ],
    [t, tasks, mayCancel],
  );
  if (!can('tasks.list')) return <Note>{common('state.not_permitted')}</Note>;
  return (
    <DataTable label={t('tab_tasks')} columns={columns} rows={rows} idOf={idOf} empty={t('tasks_empty')} />
  );
}
