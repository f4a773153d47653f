import { type Meters, remembered } from '@steward/telemetry';
import type { WebhookDeps } from './webhook-deps.ts';

/** Adds how many webhooks there are, and what waits to be sent to them, to the metrics. */
export function meterWebhooks(
  deps: Pick<WebhookDeps, 'clock' | 'webhookDeliveries' | 'webhooks'>,
  meters: Pick<Meters, 'gauge'>,
): void {
  const read = remembered(() => readBacklog(deps));
  meters.gauge('steward_webhooks').from(async () => {
    const { enabled, disabled } = await read();
    return [
      { labels: { state: 'enabled' }, value: enabled },
      { labels: { state: 'disabled' }, value: disabled },
    ];
  });
  meters
    .gauge('steward_webhook_pending_deliveries')
    .from(async () => [{ labels: {}, value: (await read()).pending }]);
  meters
    .gauge('steward_webhook_overdue_seconds')
    .from(async () => [{ labels: {}, value: (await read()).overdueMs / 1_000 }]);
}

/** Counts webhooks; what waits for those that are switched off is not to be sent. */
async function readBacklog({
  clock,
  webhookDeliveries,
  webhooks,
}: Pick<WebhookDeps, 'clock' | 'webhookDeliveries' | 'webhooks'>) {
  const all = await webhooks.find({ deleted: false }).toArray();
  const enabled = all.filter((webhook) => webhook.enabled);
  let pending = 0;
  let overdueMs = 0;
  for (const { _id: webhook } of enabled) {
    const waiting = { webhook, due: { $gt: 0 } };
    pending += await webhookDeliveries.countDocuments(waiting);
    // A test has no time at which it is due.
    const first = await webhookDeliveries.findOne(
      { ...waiting, position: { $gt: 0 } },
      { sort: { due: 1, position: 1 } },
    );
    overdueMs = Math.max(overdueMs, clock.now() - (first?.due ?? clock.now()));
  }
  return { enabled: enabled.length, disabled: all.length - enabled.length, pending, overdueMs };
}
