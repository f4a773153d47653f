import { tokenKindOf } from '@steward/audit';
import {
  type Authority,
  hasScope,
  headers,
  type Requester,
  type Rights,
  scopeName,
  scopeOf,
} from '@steward/rpc';

/** With which rights, and how, a caller gave an order that a task carries out later. */
export interface CarriedAuthority {
  /** The names of their scopes; null for all. */
  readonly scopes: readonly string[] | null;
  /** As in the audit log; null for none. */
  readonly acting_as: string | null;
  readonly token_kind: string;
  readonly device_id: string | null;
  readonly address: string;
}

/** The authority with which a call gives an order. */
export function authorityOf(
  caller: Requester,
  { requestHeader }: { readonly requestHeader: Headers },
): CarriedAuthority {
  const { admin, scopes = [], userId, owner, deviceId = null } = caller;
  return {
    scopes: admin ? null : scopes.map(scopeName),
    acting_as: userId === owner ? null : userId,
    token_kind: tokenKindOf(caller),
    device_id: deviceId,
    address: requestHeader.get(headers.clientAddress) ?? '',
  };
}

/**
 * The rights with which orders are carried out: those that their giver had, as far as the giver still has them, and is active, and the
 * automation token was not revoked.
 *
 * @param owner who gave them; null for the server
 */
export async function presentRights(
  { authority: known }: { readonly authority: Pick<Authority, 'rightsOf'> },
  owner: string | null,
  authority: CarriedAuthority | undefined,
): Promise<Rights> {
  const then = rightsThen(authority);
  if (owner === null) return then;
  const now = await known.rightsOf(authority?.acting_as ?? owner);
  if (now.admin) return then;
  return { admin: false, scopes: (now.scopes ?? []).filter((scope) => hasScope(then, scope)) };
}

/** The rights that the giver of orders had: none if they are not known. */
function rightsThen(authority: CarriedAuthority | undefined): Rights {
  if (authority?.scopes === null) return { admin: true };
  const names = authority?.scopes ?? [];
  return { admin: false, scopes: names.map(scopeOf).filter((scope) => scope !== undefined) };
}
