import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../root-route.ts';

/** The pages of users. */
export const userRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: 'users',
    component: lazyRouteComponent(() => import('./users-page.tsx'), 'UsersPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: 'users/$userId',
    component: lazyRouteComponent(() => import('./user-page.tsx'), 'UserPage'),
  }),
] as const;
