import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { readSearch } from '../../ui/filters/filter.ts';
import { rootRoute } from '../root-route.ts';
import { ROOMS_SEARCH } from './list/room-filters.ts';
import { ROOM_SEARCH } from './room-search.ts';

/** The pages of rooms. */
export const roomRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: 'rooms',
    validateSearch: (query) => readSearch(ROOMS_SEARCH, query),
    component: lazyRouteComponent(() => import('./rooms-page.tsx'), 'RoomsPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: 'rooms/$roomId',
    validateSearch: (query) => readSearch(ROOM_SEARCH, query),
    component: lazyRouteComponent(() => import('./room-page.tsx'), 'RoomPage'),
  }),
] as const;
