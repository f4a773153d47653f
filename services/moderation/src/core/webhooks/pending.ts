import { TEST_DUE } from '../model/webhook-delivery.ts';
import type { WebhookDeps } from './webhook-deps.ts';

/** How many deliveries of a webhook are pending when no more are made. */
const MAX_PENDING = 1_000;

/** How many tests of a webhook are pending when no more are taken. */
const MAX_PENDING_TESTS = 10;

/** Whether a webhook has as many pending deliveries as it may have. */
export async function isFull(
  { webhookDeliveries }: Pick<WebhookDeps, 'webhookDeliveries'>,
  webhook: string,
): Promise<boolean> {
  const pending = await webhookDeliveries
    .find({ webhook, due: { $gt: 0 } }, { limit: MAX_PENDING, projection: { _id: 0, due: 1 } })
    .toArray();
  return pending.length >= MAX_PENDING;
}

/** Whether a webhook has as many pending tests as it may have. */
export async function hasManyTests(
  { webhookDeliveries }: Pick<WebhookDeps, 'webhookDeliveries'>,
  webhook: string,
): Promise<boolean> {
  // Tests are due before all else.
  const pending = await webhookDeliveries
    .find({ webhook, due: TEST_DUE }, { limit: MAX_PENDING_TESTS, projection: { _id: 0, due: 1 } })
    .toArray();
  return pending.length >= MAX_PENDING_TESTS;
}
