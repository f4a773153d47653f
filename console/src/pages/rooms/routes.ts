import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../root-route.ts';

/** The pages of rooms. */
export const roomRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: 'rooms',
    component: lazyRouteComponent(() => import('./rooms-page.tsx'), 'RoomsPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: 'rooms/$roomId',
    component: lazyRouteComponent(() => import('./room-page.tsx'), 'RoomPage'),
  }),
] as const;
