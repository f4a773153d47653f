import { useCan } from '../../../api/use-can.ts';
import { useRead } from '../../../api/use-read.ts';
import { useMe } from '../../../session/use-session.ts';

/** Whether the reader may change an account: only who has all its scopes may. */
export interface Authority {
  /** The scopes of the account that the reader lacks; empty as well if the reader may not read its roles. */
  readonly missing: readonly string[];
  readonly permitted: boolean;
}

/** Compares the scopes of an account of this server with those of the reader. */
export function useAuthority(userId: string): Authority {
  const me = useMe();
  const can = useCan();
  const account = useRead('users.get', { user_id: userId });
  const held = useRead('users.getRoles', { user_id: userId });
  const missing = (held.data?.scopes ?? []).filter((scope) => !me.scopes.includes(scope));
  // Who may not read roles lacks a scope that every server administrator has.
  const isStronger = account.data?.admin === 1 && !can('users.getRoles');
  return { missing, permitted: missing.length === 0 && !isStronger };
}
