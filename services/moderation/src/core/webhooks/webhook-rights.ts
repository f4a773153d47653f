import { refuse } from '@steward/errors';
import { eventTypes } from '@steward/feed';
import { ALL_SCOPES, hasScope, type Rights, scopeName, scopeOf } from '@steward/rpc';
import type { Filter } from '@steward/store';
import { typesMatching } from '../feed/event-filter.ts';
import type { Webhook } from '../model/webhook.ts';
import type { WebhookDelivery } from '../model/webhook-delivery.ts';

/** The rights that a webhook keeps of a caller: the names of the scopes, null for all. */
export function scopesToKeep({ admin, scopes = [] }: Rights): Webhook['scopes'] {
  return admin ? null : scopes.map(scopeName);
}

/** The rights of a webhook. */
export function rightsOfWebhook({ scopes }: Pick<Webhook, 'scopes'>): Rights {
  if (scopes === null) return { admin: true };
  return { admin: false, scopes: scopes.map(scopeOf).filter((scope) => scope !== undefined) };
}

/** The names of the scopes of a webhook, as far as this release knows them. */
export function scopeNamesOf({ scopes }: Pick<Webhook, 'scopes'>): string[] {
  return scopes === null ? ALL_SCOPES.map(scopeName) : [...scopes];
}

/**
 * Refuses a caller who selects types of events that the caller may not see.
 *
 * @throws refuse.invalidParam for a type that no event has; refuse.forbidden, which names the scope
 */
export function requireVisibleTypes(caller: Rights, patterns: readonly string[]): void {
  for (const pattern of patterns) {
    if (typesMatching(pattern).length === 0)
      throw refuse.invalidParam(`There is no event type ${pattern.slice(0, 255)}`);
    const hidden = hiddenType(caller, pattern);
    if (hidden) throw refuse.forbidden(`Events of the type ${hidden.type} require the scope ${hidden.scope}`);
  }
}

/**
 * Refuses types of events that a webhook would never get.
 *
 * @throws refuse.invalidParam, which names the scope
 */
export function requireTypesWithin(webhook: Pick<Webhook, 'scopes'>, patterns: readonly string[]): void {
  const rights = rightsOfWebhook(webhook);
  for (const pattern of patterns) {
    const hidden = hiddenType(rights, pattern);
    if (hidden)
      throw refuse.invalidParam(
        `The webhook gets no events of the type ${hidden.type} without the scope ${hidden.scope}, see 'take_scopes'`,
      );
  }
}

/** The first type of a pattern for which rights lack the scope, and the name of that. */
function hiddenType(
  rights: Rights,
  pattern: string,
): { readonly type: string; readonly scope: string } | undefined {
  for (const type of typesMatching(pattern)) {
    const scope = eventTypes.get(type)?.scope;
    if (scope !== undefined && !hasScope(rights, scope)) return { type, scope: scopeName(scope) };
  }
  return undefined;
}

/** The deliveries that a caller may see: tests, and those of events that the caller could read in the feed. */
export function visibleDeliveries({ admin, scopes = [] }: Rights): Filter<WebhookDelivery> {
  return admin ? {} : { $or: [{ scope: null }, { scope: { $in: [...scopes] } }] };
}

/**
 * Refuses a caller who has not all scopes of a webhook: such a caller would learn with what its messages are signed, point it to
 * another receiver, or send it what the caller may not see.
 *
 * @throws refuse.forbidden, which names the scope
 */
export function requireAuthorityOver(caller: Rights, webhook: Pick<Webhook, 'scopes'>): void {
  if (caller.admin) return;
  const { admin, scopes = [] } = rightsOfWebhook(webhook);
  if (admin) throw refuse.forbidden('The webhook has the rights of a server administrator');
  const missing = scopes.find((scope) => !hasScope(caller, scope));
  if (missing !== undefined) throw refuse.forbidden(`This requires the scope ${scopeName(missing)}`);
}
