import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { readSearch } from '../../ui/filters/filter.ts';
import { rootRoute } from '../root-route.ts';
import { AUDIT_FILTERS } from './audit-filters.ts';

/** The pages of the audit log. */
export const auditRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: 'audit',
    validateSearch: (query) => readSearch({ ...AUDIT_FILTERS, tab: 'text', entry: 'text' }, query),
    component: lazyRouteComponent(() => import('./audit-page.tsx'), 'AuditPage'),
  }),
] as const;
