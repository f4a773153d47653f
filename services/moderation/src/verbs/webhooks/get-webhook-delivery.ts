import type { MessageInitShape } from '@bufbuild/protobuf';
import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import type {
  GetWebhookDeliveryRequest,
  GetWebhookDeliveryResponseSchema,
} from '@steward/proto/steward/moderation/v1/webhooks_pb.ts';
import { requester } from '@steward/rpc';
import { findWebhook } from '../../core/webhooks/existing-webhook.ts';
import type { WebhookDeps } from '../../core/webhooks/webhook-deps.ts';
import { visibleDeliveries } from '../../core/webhooks/webhook-rights.ts';
import { toDelivery } from './render-delivery.ts';

/** Returns a delivery. */
export async function getWebhookDelivery(
  deps: Pick<WebhookDeps, 'webhookDeliveries' | 'webhooks'>,
  { id, deliveryId }: GetWebhookDeliveryRequest,
  context: HandlerContext,
): Promise<MessageInitShape<typeof GetWebhookDeliveryResponseSchema>> {
  await findWebhook(deps, id);
  const delivery = await deps.webhookDeliveries.findOne({
    _id: deliveryId,
    webhook: id,
    ...visibleDeliveries(requester(context)),
  });
  if (!delivery) throw refuse.notFound('Delivery not found');
  return { delivery: toDelivery(delivery) };
}
