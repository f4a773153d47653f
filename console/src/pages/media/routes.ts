import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../root-route.ts';

/** The pages of media. */
export const mediaRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: 'media',
    component: lazyRouteComponent(() => import('./media-page.tsx'), 'MediaPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: 'media/$serverName/$mediaId',
    component: lazyRouteComponent(() => import('./medium-page.tsx'), 'MediumPage'),
  }),
] as const;
