import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../root-route.ts';

/** The page of the user's own account. */
export const meRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: 'me',
    component: lazyRouteComponent(() => import('./me-page.tsx'), 'MePage'),
  }),
] as const;
