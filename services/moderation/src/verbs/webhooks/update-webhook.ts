import type { MessageInitShape } from '@bufbuild/protobuf';
import type { HandlerContext } from '@connectrpc/connect';
import { reportEvent } from '@steward/audit';
import { refuse } from '@steward/errors';
import { WebhookUpdatedSchema } from '@steward/proto/steward/feed/v1/webhooks_pb.ts';
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
import {
  requireAuthorityOver,
  requireTypesWithin,
  scopesToKeep,
} from '../../core/webhooks/webhook-rights.ts';
import { toWebhook } from './render-webhook.ts';

/**
 * Changes the fields of a webhook that the request has. Only a caller with all scopes of the webhook may, so that no caller points
 * it to where it would send what the caller may not see. It keeps its scopes, unless the request gives it those of the caller: then
 * the request names the URL, too, so that a receiver gets more only from a caller who has seen which one it is.
 */
export async function updateWebhook(
  deps: WebhookDeps,
  request: UpdateWebhookRequest,
  context: HandlerContext,
): Promise<MessageInitShape<typeof UpdateWebhookResponseSchema>> {
  const caller = requester(context);
  const settings = readSettings(deps, request, caller);
  const { enabled, takeScopes = false, url } = request;
  if (takeScopes && url === undefined) throw refuse.missingParam("'take_scopes' requires 'url'");
  const fields = [
    ...Object.keys(settings),
    ...(enabled === undefined ? [] : ['enabled']),
    ...(takeScopes ? ['scopes'] : []),
  ];
  if (fields.length === 0) throw refuse.missingParam('The body must have at least one field to change');
  const now = deps.clock.now();
  const changed = existingWebhook(
    (
      await webhookAggregate.change(deps, request.id, (webhook) => {
        if (webhook.deleted) return undefined;
        requireAuthorityOver(caller, webhook);
        const scopes = takeScopes ? scopesToKeep(caller) : webhook.scopes;
        requireTypesWithin({ scopes }, settings.types ?? []);
        return {
          set: {
            ...settings,
            ...(enabled === undefined ? {} : switchTo(enabled, webhook, now)),
            scopes,
            changed_ts: now,
            changed_by: caller.owner,
          },
          // Who switches a webhook on has repaired its receiver, and does not wait for pauses of up to a day.
          ...(enabled ? { effects: [{ kind: 'resumed', ts: now }] } : {}),
        };
      })
    )?.document,
  );
  reportEvent(context, WebhookUpdatedSchema, { id: request.id, changed: fields });
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
