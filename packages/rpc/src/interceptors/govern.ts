import type { Interceptor } from '@connectrpc/connect';
import { type Authority, accountsOf, requireAuthority } from '../authority.ts';
import { methodRules } from '../method-rules.ts';
import { requesterKey } from '../requester.ts';

/**
 * Refuses a caller who has no authority over an account that the request acts against, or in whose name: those in the fields that
 * declare it. What acts on accounts that are found later calls the same function.
 */
export function govern(authority: Pick<Authority, 'scopesOver'>): Interceptor {
  return (next) => async (request) => {
    const rules = methodRules(request.method);
    const caller = request.contextValues.get(requesterKey);
    if (caller && !request.stream && rules.authorityFields.length > 0)
      await requireAuthority(authority, caller, accountsOf(rules, request.message));
    return next(request);
  };
}
