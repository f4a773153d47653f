import type { Requester } from '@steward/rpc';
import type { TokenKind } from './entry.ts';

/** How a caller is authenticated; without an identified caller, by the shared secret. */
export function tokenKindOf(caller: Requester | undefined): TokenKind {
  if (!caller) return 'shared_secret';
  if (caller.kind) return caller.kind;
  if (caller.userId !== caller.owner) return 'login_as';
  return caller.deviceId === undefined ? 'other' : 'device';
}
