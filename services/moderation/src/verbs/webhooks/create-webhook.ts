import type { MessageInitShape } from '@bufbuild/protobuf';
import type { HandlerContext } from '@connectrpc/connect';
import { alreadyDone, refuse } from '@steward/errors';
import type {
  CreateWebhookRequest,
  CreateWebhookResponseSchema,
} from '@steward/proto/steward/moderation/v1/webhooks_pb.ts';
import { newTimedId, repeatableCall, requester } from '@steward/rpc';
import { Conflict } from '@steward/store';
import { beginAfter } from '../../core/feed/read-events.ts';
import type { Webhook } from '../../core/model/webhook.ts';
import {
  readDescription,
  readSecret,
  readTargets,
  readTypes,
  readUrl,
} from '../../core/webhooks/read-webhook.ts';
import { webhookAggregate, webhookName } from '../../core/webhooks/webhook-aggregate.ts';
import type { WebhookDeps } from '../../core/webhooks/webhook-deps.ts';
import { scopesToKeep } from '../../core/webhooks/webhook-rights.ts';
import { toWebhook } from './render-webhook.ts';

/**
 * Creates a webhook with the rights of the caller.
 *
 * @throws the refusal `positionGone` when it is to begin after a position that the feed does not have any more, or yet
 */
export async function createWebhook(
  deps: WebhookDeps,
  request: CreateWebhookRequest,
  context: HandlerContext,
): Promise<MessageInitShape<typeof CreateWebhookResponseSchema>> {
  const caller = requester(context);
  const settings = {
    url: readUrl(request.url, deps.addressRules),
    description: readDescription(request.description),
    types: readTypes(request.types, caller),
    targets: readTargets(request.targets),
  };
  const secret = readSecret(request.secret, deps.random);
  const position = await beginAfter(deps, request.after === undefined ? undefined : Number(request.after));
  // Concurrent requests may exceed the maximum by their number.
  if ((await deps.webhooks.countDocuments({ deleted: false })) >= deps.maxWebhooks)
    throw refuse.invalidParam(`This server has at most ${deps.maxWebhooks} webhooks`);
  const now = deps.clock.now();
  const { enabled = true } = request;
  const webhook: Webhook = {
    _id: newTimedId(deps.random, now, repeatableCall(context)),
    version: 1,
    ...settings,
    enabled,
    disabled_reason: enabled ? '' : 'requested',
    enabled_ts: now,
    scopes: scopesToKeep(caller),
    created_ts: now,
    created_by: caller.owner,
    changed_ts: now,
    changed_by: caller.owner,
    secrets: [{ secret, until: null }],
    deleted: false,
    progress: {
      position,
      last_success_ts: null,
      last_failure_ts: null,
      failing_since_ts: null,
      missed_from: null,
      missed_to: null,
    },
  };
  await webhookAggregate.create(deps, webhook).catch((error: unknown) => {
    // An earlier attempt of the call has created it, and its secret was not sent.
    throw error instanceof Conflict ? alreadyDone([webhookName(webhook._id)]) : error;
  });
  deps.wakeWebhooks();
  return { webhook: toWebhook(webhook, now), secret };
}
