import type { HeldExternalId } from './account.ts';

/** The key by which a name at a provider is looked up; unique whatever characters the parts hold. */
export function externalIdKey(authProvider: string, externalId: string): string {
  return JSON.stringify([authProvider, externalId]);
}

/** The external ids of a request in their stored form, without duplicates. */
export function toHeldExternalIds(
  requested: readonly { readonly authProvider: string; readonly externalId: string }[],
): readonly HeldExternalId[] {
  const held = new Map<string, HeldExternalId>();
  for (const { authProvider, externalId } of requested) {
    const key = externalIdKey(authProvider, externalId);
    held.set(key, { key, auth_provider: authProvider, external_id: externalId });
  }
  return [...held.values()];
}
