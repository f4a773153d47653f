import type { MessageInitShape } from '@bufbuild/protobuf';
import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import type {
  ReplayWebhookRequest,
  ReplayWebhookResponseSchema,
} from '@steward/proto/steward/moderation/v1/webhooks_pb.ts';
import { callId, requester } from '@steward/rpc';
import type { Tasks } from '@steward/tasks';
import { positionBefore } from '../../core/feed/position-before.ts';
import { beginAfter, lastPosition } from '../../core/feed/read-events.ts';
import { sendingWebhook } from '../../core/webhooks/existing-webhook.ts';
import { REPLAY_WEBHOOK, type ReplayParams } from '../../core/webhooks/replay-task.ts';
import { webhookName } from '../../core/webhooks/webhook-aggregate.ts';
import type { WebhookDeps } from '../../core/webhooks/webhook-deps.ts';
import { requireAuthorityOver } from '../../core/webhooks/webhook-rights.ts';

/** Creates the task that sends events of a part of the feed again. */
export async function replayWebhook(
  deps: WebhookDeps & { readonly ownTasks: Pick<Tasks, 'createOnce'> },
  { id, after, sinceTs, untilTs }: ReplayWebhookRequest,
  context: HandlerContext,
): Promise<MessageInitShape<typeof ReplayWebhookResponseSchema>> {
  if (after === undefined && sinceTs === undefined)
    throw refuse.missingParam("Either 'after' or 'since_ts' is required");
  if (after !== undefined && sinceTs !== undefined)
    throw refuse.invalidParam("Only one of 'after' and 'since_ts' is possible");
  if (sinceTs !== undefined && untilTs !== undefined && untilTs < sinceTs)
    throw refuse.invalidParam("'until_ts' must not be before 'since_ts'");
  requireAuthorityOver(requester(context), await sendingWebhook(deps, id));
  const sinceMs = sinceTs === undefined ? null : Number(sinceTs);
  const start = sinceMs === null ? Number(after) : await positionBefore(deps, sinceMs);
  const params: ReplayParams = {
    webhook: id,
    after: await beginAfter(deps, start),
    until: await lastPosition(deps),
    sinceMs,
    untilMs: untilTs === undefined ? null : Number(untilTs),
  };
  const requestedBy = requester(context).owner;
  return {
    taskId: await deps.ownTasks.createOnce({
      id: callId(context),
      kind: REPLAY_WEBHOOK,
      key: webhookName(id),
      params,
      requestedBy,
    }),
  };
}
