import { limitExceeded, refuse } from '@steward/errors';
import type { Webhook } from '../model/webhook.ts';
import { isFull } from './pending.ts';
import type { WebhookDeps } from './webhook-deps.ts';

/** How long a caller is asked to wait for room among the pending deliveries, in milliseconds. */
const RETRY_AFTER_MS = 60_000;

/** @throws refuse.notFound when there is no such webhook */
export function existingWebhook(webhook: Webhook | null | undefined): Webhook {
  if (!webhook || webhook.deleted) throw refuse.notFound('Webhook not found');
  return webhook;
}

/**
 * A webhook to which something can be sent now.
 *
 * @throws refuse.notFound, refuse.tooLate when it is switched off, limitExceeded when it has as many pending deliveries as it may
 */
export async function sendingWebhook(
  deps: Pick<WebhookDeps, 'webhookDeliveries' | 'webhooks'>,
  id: string,
): Promise<Webhook> {
  const webhook = existingWebhook(await deps.webhooks.findOne({ _id: id }));
  if (!webhook.enabled) throw refuse.tooLate('The webhook is switched off');
  if (await isFull(deps, id)) throw limitExceeded(RETRY_AFTER_MS);
  return webhook;
}
