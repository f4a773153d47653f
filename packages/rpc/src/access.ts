import { refuse } from '@steward/errors';
import { Access } from '@steward/proto/steward/http/v1/annotations_pb.ts';
import { headers } from './headers.ts';
import type { MethodRules } from './method-rules.ts';
import type { Requester } from './requester.ts';

/** Whether a method of this access reads a token. */
export function readsToken(access: Access): boolean {
  return access !== Access.NONE && access !== Access.INTERNAL;
}

/** The access that a call needs: methods may declare another one under the compatibility prefix. */
export function accessOf({ access, compatAccess }: MethodRules, header: Headers): Access {
  return access !== compatAccess && header.get(headers.profile) === 'compat' ? compatAccess : access;
}

/**
 * Refuses a caller whom the declared access does not admit: without a token where one is needed,
 * a guest, a user who is no administrator (behaviour.md 0.2).
 */
export function checkAccess(access: Access, caller: Pick<Requester, 'admin' | 'guest'> | undefined): void {
  if (!readsToken(access) || access === Access.OPTIONAL) return;
  if (!caller) throw refuse.missingToken('Missing access token');
  if (access === Access.GUEST) return;
  if (caller.guest) throw refuse.guestForbidden('Guests may not do this');
  if (access === Access.ADMIN && !caller.admin) throw refuse.forbidden('You are not a server administrator');
}
