import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { readSearch } from '../../ui/filters/filter.ts';
import { rootRoute } from '../root-route.ts';
import { DELIVERY_FILTERS } from './delivery-filters.ts';

/** The pages of roles, tokens, webhooks and what else governs the server. */
export const accessRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: 'access',
    validateSearch: (query) =>
      readSearch({ tab: 'text', role: 'text', token: 'text', valid: 'flag', opened: 'text' }, query),
    component: lazyRouteComponent(() => import('./access-page.tsx'), 'AccessPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: 'access/webhooks/$webhookId',
    validateSearch: (query) => readSearch({ ...DELIVERY_FILTERS, delivery: 'text' }, query),
    component: lazyRouteComponent(() => import('./webhook-page.tsx'), 'WebhookPage'),
  }),
] as const;
