import type { Filter } from '@steward/store';
import { TEST_DUE, type WebhookDelivery } from '../model/webhook-delivery.ts';
import type { WebhookDeps } from './webhook-deps.ts';

/** How many deliveries of a webhook are pending when no more are made. */
const MAX_PENDING = 1_000;

/** How many tests of a webhook are pending when no more are taken. */
const MAX_PENDING_TESTS = 10;

type PendingDeps = Pick<WebhookDeps, 'webhookDeliveries'>;

/** Whether a webhook has as many pending deliveries as it may have. */
export function isFull(deps: PendingDeps, webhook: string): Promise<boolean> {
  return hasPending(deps, { webhook, due: { $gt: 0 } }, MAX_PENDING);
}

/** Whether a webhook has as many pending tests as it may have. */
export function hasManyTests(deps: PendingDeps, webhook: string): Promise<boolean> {
  return hasPending(deps, { webhook, due: TEST_DUE }, MAX_PENDING_TESTS);
}

/** Whether at least so many deliveries match, as the index shows. */
async function hasPending(
  { webhookDeliveries }: PendingDeps,
  filter: Filter<WebhookDelivery>,
  count: number,
): Promise<boolean> {
  const found = await webhookDeliveries
    .find(filter, { limit: count, projection: { _id: 0, due: 1 } })
    .toArray();
  return found.length >= count;
}
