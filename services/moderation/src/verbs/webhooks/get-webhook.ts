import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  GetWebhookRequest,
  GetWebhookResponseSchema,
} from '@steward/proto/steward/moderation/v1/webhooks_pb.ts';
import { findWebhook } from '../../core/webhooks/existing-webhook.ts';
import type { WebhookDeps } from '../../core/webhooks/webhook-deps.ts';
import { toWebhook } from './render-webhook.ts';

/** Returns a webhook. */
export async function getWebhook(
  deps: Pick<WebhookDeps, 'clock' | 'webhooks'>,
  { id }: GetWebhookRequest,
): Promise<MessageInitShape<typeof GetWebhookResponseSchema>> {
  return { webhook: toWebhook(await findWebhook(deps, id), deps.clock.now()) };
}
