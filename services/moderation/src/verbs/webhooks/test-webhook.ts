import type { MessageInitShape } from '@bufbuild/protobuf';
import { randomId } from '@steward/kernel';
import type {
  TestWebhookRequest,
  TestWebhookResponseSchema,
} from '@steward/proto/steward/moderation/v1/webhooks_pb.ts';
import { sendingWebhook } from '../../core/webhooks/existing-webhook.ts';
import { isoTime, newDelivery } from '../../core/webhooks/make-deliveries.ts';
import type { WebhookDeps } from '../../core/webhooks/webhook-deps.ts';

/** The type of the message, which no event has. */
const TYPE = 'webhook.test';

/** Orders a test message for a webhook, which goes out before what waits. */
export async function testWebhook(
  deps: WebhookDeps,
  { id }: TestWebhookRequest,
): Promise<MessageInitShape<typeof TestWebhookResponseSchema>> {
  const { _id: webhook } = await sendingWebhook(deps, id);
  const event = `test_${randomId(deps.random)}`;
  const time = deps.clock.now();
  const message = { id: event, type: TYPE, time, timestamp: isoTime(time), data: { webhook_id: id } };
  const body = JSON.stringify(message);
  const delivery = newDelivery(deps, { webhook, event, type: TYPE, scope: null, position: 0, body });
  await deps.webhookDeliveries.insertOne(delivery);
  deps.wakeWebhooks();
  return { deliveryId: delivery._id };
}
