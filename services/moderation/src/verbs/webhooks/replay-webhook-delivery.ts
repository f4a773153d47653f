import type { MessageInitShape } from '@bufbuild/protobuf';
import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import type {
  ReplayWebhookDeliveryRequest,
  ReplayWebhookDeliveryResponseSchema,
} from '@steward/proto/steward/moderation/v1/webhooks_pb.ts';
import { requester } from '@steward/rpc';
import { sendingWebhook } from '../../core/webhooks/existing-webhook.ts';
import { sendAgain } from '../../core/webhooks/send-again.ts';
import type { WebhookDeps } from '../../core/webhooks/webhook-deps.ts';
import { requireAuthorityOver } from '../../core/webhooks/webhook-rights.ts';
import { toDelivery } from './render-delivery.ts';

/** Sends the message of a delivery again. */
export async function replayWebhookDelivery(
  deps: WebhookDeps,
  { id, deliveryId }: ReplayWebhookDeliveryRequest,
  context: HandlerContext,
): Promise<MessageInitShape<typeof ReplayWebhookDeliveryResponseSchema>> {
  const webhook = await sendingWebhook(deps, id);
  requireAuthorityOver(requester(context), webhook);
  const delivery = await sendAgain(deps, webhook, deliveryId);
  if (!delivery) throw refuse.notFound('Delivery not found');
  deps.wakeWebhooks();
  return { delivery: toDelivery(delivery) };
}
