import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../root-route.ts';

/** The pages of access. */
export const accessRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: 'access',
    component: lazyRouteComponent(() => import('./access-page.tsx'), 'AccessPage'),
  }),
] as const;
