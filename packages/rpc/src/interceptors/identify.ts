import { ConnectError, type Interceptor } from '@connectrpc/connect';
import { accessOf, checkAccess, checkFields, readsToken } from '../access.ts';
import { nameCaller } from '../caller-name.ts';
import { headers } from '../headers.ts';
import { type MethodRules, methodRules } from '../method-rules.ts';
import { type Client, clientOf, type Requester, requesterKey } from '../requester.ts';
import { checkStepUp, checkStepUpFor, type StepUp, stepUpKey } from '../step-up.ts';

/** Looks a token up; throws the refusal that its holder is to receive. */
export type Authenticate = (
  token: string,
  options: Pick<MethodRules, 'allowLocked' | 'allowExpired'>,
  client: Client | undefined,
) => Promise<Requester>;

/**
 * Looks up the token of a call and refuses a caller whom the method does not admit, before anything else of
 * the request is read. The token is the only thing that says who calls, except for a client, which the server has recognized by
 * its credential: no header states a requester. If the gateway asks for it, the answer or the refusal names the caller, so that
 * it can charge further requests to the account.
 *
 * @param stepUp which calls of administrator sessions require a recent proof; none unless given
 */
export function identify(authenticate: Authenticate, stepUp?: StepUp): Interceptor {
  return (next) => async (request) => {
    const rules = methodRules(request.method);
    const access = accessOf(rules, request.header);
    const client = request.contextValues.get(requesterKey);
    const token = readsToken(access) ? request.header.get(headers.accessToken) : null;
    if (token === null && !client) {
      checkAccess(access, rules, undefined);
      return next(request);
    }
    const caller =
      client ?? (await authenticate(decodeURIComponent(token ?? ''), rules, clientOf(request.header)));
    request.contextValues.set(requesterKey, caller);
    if (stepUp && caller.kind === 'session')
      request.contextValues.set(stepUpKey, (scope) => checkStepUpFor(stepUp, scope, caller));
    const check = () => {
      checkAccess(access, rules, caller);
      const message = request.stream ? undefined : request.message;
      if (message) checkFields(rules, message, caller);
      if (stepUp) checkStepUp(stepUp, rules, message, caller);
    };
    if (!request.header.has(headers.nameCaller)) {
      check();
      return next(request);
    }
    try {
      check();
      const response = await next(request);
      nameCaller(response.header, caller);
      return response;
    } catch (error) {
      if (error instanceof ConnectError) nameCaller(error.metadata, caller);
      throw error;
    }
  };
}
