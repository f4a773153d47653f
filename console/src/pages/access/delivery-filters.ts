import type { FilterKinds } from '../../ui/filters/filter.ts';

/** The filters of the deliveries of a webhook, named as the parameters of the API. */
export const DELIVERY_FILTERS = { event_id: 'text', state: 'choice' } as const satisfies FilterKinds;
