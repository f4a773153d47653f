import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { readSearch } from '../../ui/filters/filter.ts';
import { rootRoute } from '../root-route.ts';

/** The first page. */
export const overviewRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/',
    validateSearch: (query) => readSearch({ range: 'text' }, query),
    component: lazyRouteComponent(() => import('./overview-page.tsx'), 'OverviewPage'),
  }),
] as const;
