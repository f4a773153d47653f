import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { readSearch } from '../../ui/filters/filter.ts';
import { rootRoute } from '../root-route.ts';
import { CHANGE_FILTERS, HASH_FILTERS, MEDIA_FILTERS, MEDIA_VIEW, USAGE_FILTERS } from './media-search.ts';

const SEARCH = {
  ...MEDIA_FILTERS,
  ...USAGE_FILTERS,
  ...HASH_FILTERS,
  ...CHANGE_FILTERS,
  ...MEDIA_VIEW,
};

/** The pages of media. */
export const mediaRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: 'media',
    validateSearch: (query) => readSearch(SEARCH, query),
    component: lazyRouteComponent(() => import('./media-page.tsx'), 'MediaPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: 'media/$serverName/$mediaId',
    component: lazyRouteComponent(() => import('./medium-page.tsx'), 'MediumPage'),
  }),
] as const;
