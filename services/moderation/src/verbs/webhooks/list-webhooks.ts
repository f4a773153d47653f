import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  ListWebhooksRequest,
  ListWebhooksResponseSchema,
} from '@steward/proto/steward/moderation/v1/webhooks_pb.ts';
import type { WebhookDeps } from '../../core/webhooks/webhook-deps.ts';
import { toWebhook } from './render-webhook.ts';

const DEFAULT_LIMIT = 100n;
const MAX_LIMIT = 1_000n;

/** Returns a page of the webhooks, the newest first. */
export async function listWebhooks(
  { clock, webhooks }: Pick<WebhookDeps, 'clock' | 'webhooks'>,
  { from, limit: requested = DEFAULT_LIMIT }: ListWebhooksRequest,
): Promise<MessageInitShape<typeof ListWebhooksResponseSchema>> {
  const limit = Number(requested > MAX_LIMIT ? MAX_LIMIT : requested);
  const total = BigInt(await webhooks.countDocuments({ deleted: false }));
  if (limit === 0) return { total };
  // One more than the page, which shows whether another page follows, and where it starts.
  const found = await webhooks
    .find(
      { deleted: false, ...(from === undefined ? {} : { _id: { $lte: from } }) },
      { sort: { _id: -1 }, limit: limit + 1 },
    )
    .toArray();
  const next = found[limit];
  const now = clock.now();
  return {
    webhooks: found.slice(0, limit).map((webhook) => toWebhook(webhook, now)),
    ...(next ? { nextToken: next._id } : {}),
    total,
  };
}
