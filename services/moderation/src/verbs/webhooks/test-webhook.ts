import type { MessageInitShape } from '@bufbuild/protobuf';
import type { HandlerContext } from '@connectrpc/connect';
import { limitExceeded } from '@steward/errors';
import { randomId } from '@steward/kernel';
import type {
  TestWebhookRequest,
  TestWebhookResponseSchema,
} from '@steward/proto/steward/moderation/v1/webhooks_pb.ts';
import { callId, requester } from '@steward/rpc';
import { Conflict } from '@steward/store';
import { TEST_DUE } from '../../core/model/webhook-delivery.ts';
import { sendingWebhook } from '../../core/webhooks/existing-webhook.ts';
import { isoTime, newDelivery } from '../../core/webhooks/make-deliveries.ts';
import { hasManyTests } from '../../core/webhooks/pending.ts';
import type { WebhookDeps } from '../../core/webhooks/webhook-deps.ts';
import { requireAuthorityOver } from '../../core/webhooks/webhook-rights.ts';

/** The type of the message, which no event has. */
const TYPE = 'webhook.test';

/** How long a caller is asked to wait when many tests are pending, in milliseconds. */
const RETRY_AFTER_MS = 15_000;

/** Orders a test message for a webhook, which goes out before what waits. */
export async function testWebhook(
  deps: WebhookDeps,
  { id }: TestWebhookRequest,
  context: HandlerContext,
): Promise<MessageInitShape<typeof TestWebhookResponseSchema>> {
  const found = await sendingWebhook(deps, id);
  requireAuthorityOver(requester(context), found);
  const { _id: webhook } = found;
  if (await hasManyTests(deps, webhook)) throw limitExceeded(RETRY_AFTER_MS);
  const event = `test_${callId(context) ?? randomId(deps.random)}`;
  const time = deps.clock.now();
  const message = { id: event, type: TYPE, time, timestamp: isoTime(time), data: { webhook_id: id } };
  const body = JSON.stringify(message);
  const delivery = newDelivery(deps, { webhook, event, type: TYPE, scope: null, position: 0, body });
  await deps.webhookDeliveries.insertOne({ ...delivery, due: TEST_DUE }).catch((error: unknown) => {
    // An earlier attempt of the call has ordered it.
    if (!(error instanceof Conflict)) throw error;
  });
  deps.wakeWebhooks();
  return { deliveryId: delivery._id };
}
