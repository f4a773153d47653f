import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../root-route.ts';

/** The pages of tasks. */
export const taskRoutes = [
  createRoute({ getParentRoute: () => rootRoute, path: 'tasks', component: lazyRouteComponent(() => import('./tasks-page.tsx'), 'TasksPage') }),
  createRoute({ getParentRoute: () => rootRoute, path: 'tasks/$taskId', component: lazyRouteComponent(() => import('./task-page.tsx'), 'TaskPage') }),
] as const;
