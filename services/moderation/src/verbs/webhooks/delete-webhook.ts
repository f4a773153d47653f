import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import type { DeleteWebhookRequest } from '@steward/proto/steward/moderation/v1/webhooks_pb.ts';
import { requester } from '@steward/rpc';
import { removeDeliveries } from '../../core/webhooks/sweep-webhooks.ts';
import { webhookAggregate } from '../../core/webhooks/webhook-aggregate.ts';
import type { WebhookDeps } from '../../core/webhooks/webhook-deps.ts';
import { requireAuthorityOver } from '../../core/webhooks/webhook-rights.ts';

/**
 * Deletes a webhook, in one commit, and then its deliveries. The sweep removes what a process still adds that did not know, or
 * what is left when this one is killed.
 */
export async function deleteWebhook(
  deps: WebhookDeps,
  { id }: DeleteWebhookRequest,
  context: HandlerContext,
) {
  const caller = requester(context);
  const deleted = await webhookAggregate.change(deps, id, (webhook) => {
    if (webhook.deleted) return undefined;
    requireAuthorityOver(caller, webhook);
    const change = { changed_ts: deps.clock.now(), changed_by: caller.owner };
    return { set: { ...change, deleted: true, enabled: false, secrets: [] }, result: true };
  });
  if (!deleted?.result) throw refuse.notFound('Webhook not found');
  deps.wakeWebhooks();
  await removeDeliveries(deps, id);
  return {};
}
