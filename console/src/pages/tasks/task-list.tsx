import type { ListTasksResponse, Task } from '@steward/sdk';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useCursorRows } from '../../api/use-cursor-rows.ts';
import { type Filter, paramsOf } from '../../ui/filters/filter.ts';
import { FilterBar } from '../../ui/filters/filter-bar.tsx';
import { ViewsMenu } from '../../ui/filters/views-menu.tsx';
import { TextLink } from '../../ui/link.tsx';
import type { Column } from '../../ui/table/column.ts';
import { ColumnsMenu } from '../../ui/table/columns-menu.tsx';
import { DataTable } from '../../ui/table/data-table.tsx';
import { useColumns } from '../../ui/table/use-columns.ts';
import { Time } from '../../ui/time.tsx';
import { TASK_FILTERS } from './task-filters.ts';
import { TASK_KINDS } from './task-kinds.ts';
import { TaskProgressBar } from './task-progress-bar.tsx';
import { TASK_STATES, TaskState } from './task-state.tsx';
import { TaskTarget } from './task-target.tsx';

const rowsOf = (page: ListTasksResponse) => page.tasks;
const nextOf = (page: ListTasksResponse) => page.next_token;
const idOf = (task: Task) => task.id;

/** The tasks, newest first, with their progress as it is made. */
export function TaskList() {
  const { t } = useTranslation('tasks');
  const { t: common } = useTranslation();
  const search = useSearch({ from: '/tasks' });
  const navigate = useNavigate({ from: '/tasks' });
  const params = useMemo(() => paramsOf(TASK_FILTERS, search), [search]);
  const rows = useCursorRows('tasks.list', params, { rowsOf, nextOf });
  const filters: readonly Filter[] = [
    { id: 'target', label: t('target'), kind: 'text' },
    {
      id: 'state',
      label: t('state'),
      kind: 'choices',
      options: TASK_STATES.map((value) => ({ value, label: t(value) })),
    },
    {
      id: 'kind',
      label: t('kind'),
      kind: 'choices',
      options: TASK_KINDS.map((value) => ({ value, label: value })),
    },
    { id: 'requested_by', label: t('requested_by'), kind: 'text' },
    { id: 'from_ts', label: t('created_after'), kind: 'time' },
    { id: 'until_ts', label: t('created_before'), kind: 'time' },
  ];
  const columns = useMemo<readonly Column<Task>[]>(
    () => [
      {
        id: 'kind',
        header: t('kind'),
        width: 180,
        cell: ({ id, kind }) => (
          <TextLink to="/tasks/$taskId" params={{ taskId: id }}>
            {kind}
          </TextLink>
        ),
      },
      { id: 'state', header: t('state'), width: 120, grow: 0.5, cell: (task) => <TaskState task={task} /> },
      { id: 'progress', header: t('progress'), width: 160, cell: (task) => <TaskProgressBar task={task} /> },
      { id: 'target', header: t('target'), width: 220, grow: 2, cell: (task) => <TaskTarget task={task} /> },
      {
        id: 'requested_by',
        header: t('requested_by'),
        width: 180,
        cell: ({ requested_by: user }) => user ?? t('server'),
      },
      { id: 'created', header: t('created'), width: 130, cell: ({ created_ts: ms }) => <Time ms={ms} /> },
      { id: 'finished', header: t('finished'), width: 130, cell: ({ finished_ts: ms }) => <Time ms={ms} /> },
      { id: 'error', header: t('error'), width: 220, hidden: true, cell: ({ error }) => error },
    ],
    [t],
  );
  const choice = useColumns('tasks', columns);
  return (
    <>
      <FilterBar
        filters={filters}
        search={search}
        onChange={(change) => navigate({ search: (before) => ({ ...before, ...change }), replace: true })}
      >
        <ViewsMenu page="tasks" search={search} onOpen={(saved) => navigate({ search: saved })} />
        <ColumnsMenu columns={columns} choice={choice} />
      </FilterBar>
      <DataTable
        label={t('title')}
        columns={columns}
        rows={rows}
        idOf={idOf}
        choice={choice}
        empty={Object.keys(params).length === 0 ? t('empty') : common('state.no_match')}
      />
    </>
  );
}
