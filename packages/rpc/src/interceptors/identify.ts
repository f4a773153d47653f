import type { Interceptor } from '@connectrpc/connect';
import { checkAccess, readsToken } from '../access.ts';
import { headers } from '../headers.ts';
import { type MethodRules, methodRules } from '../method-rules.ts';
import { type Client, type Requester, requesterKey } from '../requester.ts';

/** Looks a token up; refused as its holder is to be refused. */
export type Authenticate = (
  token: string,
  options: Pick<MethodRules, 'allowLocked' | 'allowExpired'>,
  client: Client | undefined,
) => Promise<Requester>;

/**
 * Finds out who calls and refuses whom the method does not admit, before anything else of the request
 * is looked at. The service that owns the tokens passes `authenticate` and so spares its callers a
 * call of their own; the others take the requester from a header that only a holder of the internal
 * credential can set.
 */
export function identify(authenticate?: Authenticate): Interceptor {
  return (next) => async (request) => {
    const rules = methodRules(request.method);
    const compat = request.header.get(headers.profile) === 'compat';
    const access = compat ? rules.compatAccess : rules.access;
    if (readsToken(access)) {
      const stated = request.header.get(headers.requester);
      const token = request.header.get(headers.accessToken);
      let caller: Requester | undefined;
      if (stated !== null) caller = JSON.parse(decodeURIComponent(stated)) as Requester;
      else if (token !== null && authenticate) {
        caller = await authenticate(decodeURIComponent(token), rules, clientOf(request.header));
      }
      request.contextValues.set(requesterKey, caller);
      checkAccess(access, caller);
    }
    return next(request);
  };
}

function clientOf(header: Headers): Client | undefined {
  const address = header.get(headers.clientAddress);
  if (address === null) return undefined;
  return { address, userAgent: decodeURIComponent(header.get(headers.clientUserAgent) ?? '') };
}
