import type { MessageInitShape } from '@bufbuild/protobuf';
import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import type {
  RotateWebhookSecretRequest,
  RotateWebhookSecretResponseSchema,
} from '@steward/proto/steward/moderation/v1/webhooks_pb.ts';
import { requester } from '@steward/rpc';
import { existingWebhook } from '../../core/webhooks/existing-webhook.ts';
import { readSecret } from '../../core/webhooks/read-webhook.ts';
import { webhookAggregate } from '../../core/webhooks/webhook-aggregate.ts';
import type { WebhookDeps } from '../../core/webhooks/webhook-deps.ts';
import { requireAuthorityOver } from '../../core/webhooks/webhook-rights.ts';
import { toWebhook } from './render-webhook.ts';

/** A day. */
const DEFAULT_OVERLAP_MS = 86_400_000n;

/** A week. */
const MAX_OVERLAP_MS = 604_800_000n;

/** Gives a webhook a new secret, in one commit. The present one signs, too, for the overlap; an older one ends. */
export async function rotateWebhookSecret(
  deps: WebhookDeps,
  { id, overlapMs = DEFAULT_OVERLAP_MS, secret: given }: RotateWebhookSecretRequest,
  context: HandlerContext,
): Promise<MessageInitShape<typeof RotateWebhookSecretResponseSchema>> {
  if (overlapMs > MAX_OVERLAP_MS) throw refuse.invalidParam(`'overlap_ms' must be at most ${MAX_OVERLAP_MS}`);
  const caller = requester(context);
  const secret = readSecret(given, deps.random);
  const now = deps.clock.now();
  const rotated = existingWebhook(
    (
      await webhookAggregate.change(deps, id, (webhook) => {
        if (webhook.deleted) return undefined;
        requireAuthorityOver(caller, webhook);
        const present = webhook.secrets.filter(({ until }) => until === null);
        const kept =
          overlapMs === 0n ? [] : present.map((each) => ({ ...each, until: now + Number(overlapMs) }));
        return { set: { secrets: [{ secret, until: null }, ...kept] } };
      })
    )?.document,
  );
  return { webhook: toWebhook(rotated, now), secret };
}
