import { NOT_FLUSHED, removeInBatches } from '@steward/store';
import { webhookAggregate } from './webhook-aggregate.ts';
import type { WebhookDeps } from './webhook-deps.ts';

/** The number of deliveries in one removal. */
const BATCH = 200;

/** How long the document of a deleted webhook stays: longer than a process sends after it was deleted, in milliseconds. */
const DELETED_KEPT_MS = 5 * 60_000;

type SweepDeps = Pick<WebhookDeps, 'clock' | 'feedAppender' | 'random' | 'webhookDeliveries' | 'webhooks'>;

/**
 * Makes the events of changes that crashed processes left, removes deliveries that are past their retention, and what is left of
 * deleted webhooks. It is idempotent, also in several processes concurrently.
 */
export async function sweepWebhooks(deps: SweepDeps): Promise<void> {
  await webhookAggregate.sweep(deps);
  const { clock, webhookDeliveries, webhooks } = deps;
  await removeInBatches(
    webhookDeliveries,
    { keep_until: { $lte: clock.now() } },
    { sort: { keep_until: 1 }, size: BATCH, options: NOT_FLUSHED },
  );
  for (const { _id, changed_ts: deletedTs } of await webhooks.find({ deleted: true }).toArray()) {
    await removeDeliveries(deps, _id);
    if (clock.now() - deletedTs >= DELETED_KEPT_MS) await webhookAggregate.delete(deps, _id);
  }
}

/** Removes all deliveries of a webhook, in batches. */
export async function removeDeliveries(
  { webhookDeliveries }: Pick<WebhookDeps, 'webhookDeliveries'>,
  webhook: string,
): Promise<void> {
  await removeInBatches(
    webhookDeliveries,
    { webhook },
    { sort: { created_ts: 1 }, size: BATCH, options: NOT_FLUSHED },
  );
}
