import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { readSearch } from '../../ui/filters/filter.ts';
import { rootRoute } from '../root-route.ts';
import { TASK_FILTERS } from './task-filters.ts';

/** The pages of tasks and dead letters. */
export const taskRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: 'tasks',
    validateSearch: (query) => readSearch({ ...TASK_FILTERS, tab: 'text' }, query),
    component: lazyRouteComponent(() => import('./tasks-page.tsx'), 'TasksPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: 'tasks/$taskId',
    component: lazyRouteComponent(() => import('./task-page.tsx'), 'TaskPage'),
  }),
] as const;
