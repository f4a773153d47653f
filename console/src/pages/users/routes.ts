import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { readSearch } from '../../ui/filters/filter.ts';
import { rootRoute } from '../root-route.ts';
import { USER_FILTERS, USER_SORT } from './user-filters.ts';

/** The pages of users. */
export const userRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: 'users',
    validateSearch: (query) => readSearch({ ...USER_FILTERS, ...USER_SORT }, query),
    component: lazyRouteComponent(() => import('./users-page.tsx'), 'UsersPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: 'users/$userId',
    validateSearch: (query) =>
      readSearch({ tab: 'text', type: 'choices', reports: 'text', order_by: 'text', dir: 'text' }, query),
    component: lazyRouteComponent(() => import('./user-page.tsx'), 'UserPage'),
  }),
] as const;
