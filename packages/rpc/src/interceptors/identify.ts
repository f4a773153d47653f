import type { Interceptor } from '@connectrpc/connect';
import { accessOf, checkAccess, readsToken } from '../access.ts';
import { headers } from '../headers.ts';
import { type MethodRules, methodRules } from '../method-rules.ts';
import { type Client, type Requester, requesterKey } from '../requester.ts';

/** Looks a token up; throws the refusal that its holder is to receive. */
export type Authenticate = (
  token: string,
  options: Pick<MethodRules, 'allowLocked' | 'allowExpired'>,
  client: Client | undefined,
) => Promise<Requester>;

/**
 * Looks up the token of a call and refuses a caller whom the method does not admit, before anything else of
 * the request is read. The token is the only thing that says who calls: no header states a requester.
 */
export function identify(authenticate: Authenticate): Interceptor {
  return (next) => async (request) => {
    const rules = methodRules(request.method);
    const access = accessOf(rules, request.header);
    if (readsToken(access)) {
      const token = request.header.get(headers.accessToken);
      const caller =
        token === null
          ? undefined
          : await authenticate(decodeURIComponent(token), rules, clientOf(request.header));
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
