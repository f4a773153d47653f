import { type JsonObject, own } from '@steward/kernel';

/** Marks the content of the member event of a user who joined as a guest (client-plane.md 5.3). */
export const GUEST_KIND = { kind: 'guest' } as const;

/** Whether the content of a member event is that of a guest. */
export function isGuestContent(content: JsonObject): boolean {
  return own(content, 'kind') === GUEST_KIND.kind;
}
