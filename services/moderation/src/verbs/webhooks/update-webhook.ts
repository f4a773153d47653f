import type { MessageInitShape } from '@bufbuild/protobuf';
import type { HandlerContext } from '@connectrpc/connect';
import type {
  UpdateWebhookRequest,
  UpdateWebhookResponseSchema,
} from '@steward/proto/steward/moderation/v1/webhooks_pb.ts';
import { type Requester, requester } from '@steward/rpc';
import type { Webhook } from '../../core/model/webhook.ts';
import { existingWebhook } from '../../core/webhooks/existing-webhook.ts';
import { readDescription, readTargets, readTypes, readUrl } from '../../core/webhooks/read-webhook.ts';
import { webhookAggregate } from '../../core/webhooks/webhook-aggregate.ts';
import type { WebhookDeps } from '../../core/webhooks/webhook-deps.ts';
import { scopesToKeep } from '../../core/webhooks/webhook-rights.ts';
import { toWebhook } from './render-webhook.ts';

/**
 * Changes the fields of a webhook that the request has. The rights of the caller replace those of the webhook, so that it never
 * sends to where a caller points it what that caller may not see; this applies to what waits, too.
 */
export async function updateWebhook(
  deps: WebhookDeps,
  request: UpdateWebhookRequest,
  context: HandlerContext,
): Promise<MessageInitShape<typeof UpdateWebhookResponseSchema>> {
  const caller = requester(context);
  const settings = readSettings(deps, request, caller);
  const { enabled } = request;
  const now = deps.clock.now();
  const changed = existingWebhook(
    await webhookAggregate.change(deps, request.id, (webhook) => {
      if (webhook.deleted) return undefined;
      return {
        set: {
          ...settings,
          ...(enabled === undefined ? {} : switchTo(enabled, webhook, now)),
          scopes: scopesToKeep(caller),
          changed_ts: now,
          changed_by: caller.owner,
        },
      };
    }),
  );
  deps.wakeWebhooks();
  return { webhook: toWebhook(changed, now) };
}

function readSettings(
  { addressRules }: WebhookDeps,
  { url, description, types, targets, present }: UpdateWebhookRequest,
  caller: Requester,
): Partial<Pick<Webhook, 'url' | 'description' | 'types' | 'targets'>> {
  const has = (name: string) => present?.paths.includes(name) ?? false;
  return {
    ...(url === undefined ? {} : { url: readUrl(url, addressRules) }),
    ...(description === undefined ? {} : { description: readDescription(description) }),
    ...(has('types') ? { types: readTypes(types, caller) } : {}),
    ...(has('targets') ? { targets: readTargets(targets) } : {}),
  };
}

/** Switching on what is on, or off what is off, keeps the time and the reason. */
function switchTo(
  enabled: boolean,
  webhook: Webhook,
  now: number,
): Partial<Pick<Webhook, 'enabled' | 'enabled_ts' | 'disabled_reason'>> {
  if (enabled === webhook.enabled) return {};
  return enabled
    ? { enabled, enabled_ts: now, disabled_reason: '' }
    : { enabled, disabled_reason: 'requested' };
}
