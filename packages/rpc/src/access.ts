import { refuse } from '@steward/errors';
import { Access } from '@steward/proto/steward/http/v1/annotations_pb.ts';
import type { Requester } from './requester.ts';

/** Whether a method of this access looks at a token at all. */
export function readsToken(access: Access): boolean {
  return access !== Access.NONE && access !== Access.INTERNAL;
}

/**
 * Refuses a caller whom the declared access does not admit: without a token where one is needed,
 * a guest, somebody who is no administrator (behaviour.md 0.2).
 */
export function checkAccess(access: Access, caller: Pick<Requester, 'admin' | 'guest'> | undefined): void {
  if (!readsToken(access) || access === Access.OPTIONAL) return;
  if (!caller) throw refuse.missingToken('Missing access token');
  if (access === Access.GUEST) return;
  if (caller.guest) throw refuse.guestForbidden('Guests may not do this');
  if (access === Access.ADMIN && !caller.admin) throw refuse.forbidden('You are not a server administrator');
}
