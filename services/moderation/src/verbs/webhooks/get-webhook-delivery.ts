import type { MessageInitShape } from '@bufbuild/protobuf';
import { refuse } from '@steward/errors';
import type {
  GetWebhookDeliveryRequest,
  GetWebhookDeliveryResponseSchema,
} from '@steward/proto/steward/moderation/v1/webhooks_pb.ts';
import { findWebhook } from '../../core/webhooks/existing-webhook.ts';
import type { WebhookDeps } from '../../core/webhooks/webhook-deps.ts';
import { toDelivery } from './render-delivery.ts';

/** Returns a delivery. */
export async function getWebhookDelivery(
  deps: Pick<WebhookDeps, 'webhookDeliveries' | 'webhooks'>,
  { id, deliveryId }: GetWebhookDeliveryRequest,
): Promise<MessageInitShape<typeof GetWebhookDeliveryResponseSchema>> {
  await findWebhook(deps, id);
  const delivery = await deps.webhookDeliveries.findOne({ _id: deliveryId, webhook: id });
  if (!delivery) throw refuse.notFound('Delivery not found');
  return { delivery: toDelivery(delivery) };
}
