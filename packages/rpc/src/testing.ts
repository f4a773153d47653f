/** Test doubles for parts of a running server. */

import type { Interceptor } from '@connectrpc/connect';
import { AuthorityService } from '@steward/proto/steward/user/v1/authority_pb.ts';
import { accessOf, checkAccess, checkFields } from './access.ts';
import type { Authority } from './authority.ts';
import { methodRules } from './method-rules.ts';
import { type Requester, requesterKey } from './requester.ts';
import { type Route, route } from './routes.ts';

/**
 * Replaces `identify`: every call comes from the given requester, or from a caller without a token. The access
 * of the method is checked as in a running server.
 */
export function identifyAs(caller: Requester | undefined): Interceptor {
  return (next) => async (request) => {
    request.contextValues.set(requesterKey, caller);
    const rules = methodRules(request.method);
    checkAccess(accessOf(rules, request.header), rules, caller);
    if (caller && !request.stream) checkFields(rules, request.message, caller);
    return next(request);
  };
}

/** An authority on a server without accounts that have scopes, where all who gave orders are administrators. */
export const nobodyPrivileged: Authority = {
  scopesOver: async () => new Map(),
  privileged: async () => new Map(),
  rightsOf: async () => ({ admin: true }),
};

/** Serves the same in place of the user service. */
export const nobodyPrivilegedRoute: Route = route(AuthorityService, {
  readAuthority: async () => ({}),
  listPrivileged: async () => ({}),
  readRights: async () => ({ admin: true }),
});

export { forwardedForm } from './forwarded-answer.ts';
export { DEADLINE_LIMIT_MS } from './limits.ts';
