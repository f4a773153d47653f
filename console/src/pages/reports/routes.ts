import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { readSearch } from '../../ui/filters/filter.ts';
import { rootRoute } from '../root-route.ts';
import { REPORT_FILTERS } from './desk/report-filters.ts';

/** The pages of reports. `case` is the one that is open beside the list. */
export const reportRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: 'reports',
    validateSearch: (query) =>
      readSearch({ ...REPORT_FILTERS, state: 'text', order_by: 'text', dir: 'text', case: 'text' }, query),
    component: lazyRouteComponent(() => import('./reports-page.tsx'), 'ReportsPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: 'reports/$reportId',
    component: lazyRouteComponent(() => import('./report-page.tsx'), 'ReportPage'),
  }),
] as const;
