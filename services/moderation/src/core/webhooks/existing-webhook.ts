import { refuse } from '@steward/errors';
import type { Webhook } from '../model/webhook.ts';
import type { WebhookDeps } from './webhook-deps.ts';

/** @throws refuse.notFound when there is no such webhook */
export function existingWebhook(webhook: Webhook | null | undefined): Webhook {
  if (!webhook || webhook.deleted) throw refuse.notFound('Webhook not found');
  return webhook;
}

/** @throws refuse.notFound when there is no such webhook */
export async function findWebhook({ webhooks }: Pick<WebhookDeps, 'webhooks'>, id: string): Promise<Webhook> {
  return existingWebhook(await webhooks.findOne({ _id: id }));
}

/**
 * A webhook to which something can be sent now.
 *
 * @throws refuse.notFound, refuse.tooLate when it is switched off
 */
export async function sendingWebhook(deps: Pick<WebhookDeps, 'webhooks'>, id: string): Promise<Webhook> {
  const webhook = await findWebhook(deps, id);
  if (!webhook.enabled) throw refuse.tooLate('The webhook is switched off: switch it on first');
  return webhook;
}
