import type { Webhook } from '../model/webhook.ts';
import type { WebhookDelivery } from '../model/webhook-delivery.ts';
import { pendingFrom } from './make-deliveries.ts';
import type { WebhookDeps } from './webhook-deps.ts';

type SendAgainDeps = Pick<WebhookDeps, 'clock' | 'deliveryRetentionMs' | 'webhookDeliveries'>;

/**
 * Makes a delivery due now: one that has ended as a new one, with all its attempts; one that is pending without further ones.
 *
 * @param task the task that orders it, which does so once however often it runs
 * @returns the delivery; undefined when there is none
 */
export async function sendAgain(
  { clock, deliveryRetentionMs, webhookDeliveries }: SendAgainDeps,
  { _id: webhook }: Pick<Webhook, '_id'>,
  id: string,
  task?: string,
): Promise<WebhookDelivery | undefined> {
  const now = clock.now();
  const isMine = { _id: id, webhook } as const;
  const mark = task === undefined ? {} : { replayed_by: task };
  const unmarked = task === undefined ? {} : { replayed_by: { $ne: task } };
  const ended = { ...isMine, state: { $in: ['delivered', 'failed', 'discarded'] }, ...unmarked } as const;
  const afresh = await webhookDeliveries.findOneAndUpdate(
    ended,
    {
      $set: { ...pendingFrom(now, deliveryRetentionMs), ...mark },
      $unset: { ended_ts: true },
    },
    { returnDocument: 'after' },
  );
  if (afresh) return afresh;
  const sooner = await webhookDeliveries.findOneAndUpdate(
    { ...isMine, state: 'pending', ...unmarked },
    { $set: { due: now, ...mark } },
    { returnDocument: 'after' },
  );
  return sooner ?? (await webhookDeliveries.findOne(isMine)) ?? undefined;
}
