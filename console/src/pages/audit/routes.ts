import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../root-route.ts';

/** The pages of audit. */
export const auditRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: 'audit',
    component: lazyRouteComponent(() => import('./audit-page.tsx'), 'AuditPage'),
  }),
] as const;
