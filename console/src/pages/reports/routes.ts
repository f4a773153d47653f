import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../root-route.ts';

/** The pages of reports. */
export const reportRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: 'reports',
    component: lazyRouteComponent(() => import('./reports-page.tsx'), 'ReportsPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: 'reports/$reportId',
    component: lazyRouteComponent(() => import('./report-page.tsx'), 'ReportPage'),
  }),
] as const;
