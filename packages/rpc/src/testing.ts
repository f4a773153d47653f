/** Test doubles for parts of a running server. */

import type { Interceptor } from '@connectrpc/connect';
import { AuthorityService } from '@steward/proto/steward/user/v1/authority_pb.ts';
import { accessOf, checkAccess, checkFields } from './access.ts';
import type { Authority, ScopesOver } from './authority.ts';
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

/** An authority on a server where accounts have the given scopes, and all who gave orders are administrators unless `rightsOf` says otherwise. */
export function authorityOver(
  scopes: ScopesOver,
  rightsOf: Authority['rightsOf'] = async () => ({ admin: true }),
): Authority {
  return {
    scopesOver: async (userIds) => new Map([...scopes].filter(([userId]) => userIds.includes(userId))),
    privileged: async () => scopes,
    rightsOf,
  };
}

/** An authority on a server without accounts that have scopes, where all who gave orders are administrators. */
export const nobodyPrivileged: Authority = authorityOver(new Map());

/** Serves an authority in place of the user service. */
export function authorityRoute(authority: Authority): Route {
  const render = (scopes: ScopesOver) => ({
    accounts: [...scopes].map(([userId, those]) => ({ userId, scopes: [...those] })),
  });
  return route(AuthorityService, {
    readAuthority: async ({ userIds }) => render(await authority.scopesOver(userIds)),
    listPrivileged: async () => render(await authority.privileged()),
    readRights: async ({ name }) => {
      const { admin, scopes = [] } = await authority.rightsOf(name);
      return { admin, scopes: [...scopes] };
    },
  });
}

export { forwardedForm } from './forwarded-answer.ts';
export { DEADLINE_LIMIT_MS } from './limits.ts';
