import type { Client } from '@connectrpc/connect';
import { refuse, toConnectError } from '@steward/errors';
import type { Binding } from '@steward/http';
import { Access } from '@steward/proto/steward/http/v1/annotations_pb.ts';
import type { SessionService } from '@steward/proto/steward/user/v1/sessions_pb.ts';
import { checkAccess, type MethodRules, readsToken, USUAL_BODY_BYTES } from '@steward/rpc';
import type { FastifyRequest, onRequestHookHandler } from 'fastify';
import { credential, refuseAutomationToken } from './access-token.ts';
import { clientOf } from './client-of.ts';
import { segmentsOf } from './raw-path.ts';
import { requireSameOrigin } from './sessions/same-origin.ts';
import { queryOf, type RequestContexts } from './transcode.ts';

/** The longest token that the server issues, in characters (client-plane.md 2.1). */
const MAX_TOKEN_LENGTH = 512;

/**
 * The checks before a body is read: the path, if its violations are refused first; the presence of a token, if one
 * is needed; the origin of the page, if the cookie of a session takes its place; and before a large body, whether the method admits the owner of the token, who may send a limited number of
 * such bytes. A small body costs less than that look-up, which the service repeats in any case.
 */
export function guard(
  { method, rules, path, checkPath }: Binding,
  sessions: Client<typeof SessionService>,
  contexts: RequestContexts,
): onRequestHookHandler {
  /** The token of a request with a large body whose owner must be admitted. */
  const tokenToCheck = (request: FastifyRequest, access: Access): string | undefined => {
    if (rules.parseBeforeAuth) {
      const violation = checkPath(segmentsOf(request));
      if (violation) throw toConnectError(violation);
    }
    if (rules.sessionCookie) requireSameOrigin(contexts.site, request, false);
    if (!readsToken(access)) return undefined;
    const token = credential(request, queryOf(request.raw.url ?? ''), access);
    if (token !== undefined && token === request.sessionSecret)
      requireSameOrigin(contexts.site, request, true);
    if (token === undefined) {
      if (access !== Access.OPTIONAL) throw refuse.missingToken('Missing access token');
      return undefined;
    }
    if (token.length > MAX_TOKEN_LENGTH) throw refuse.unknownToken('Unknown access token');
    refuseAutomationToken(request.raw, path, token);
    return announcedBytes(request) > USUAL_BODY_BYTES ? token : undefined;
  };
  const checkOwner = async (request: FastifyRequest, access: Access, token: string) => {
    const { allowLocked, allowExpired } = rules;
    const client = clientOf(request);
    const caller = await sessions.authenticate({ accessToken: token, allowLocked, allowExpired, ...client });
    checkAccess(access, rules, caller);
    const bytes = bytesToCount(announcedBytes(request), rules);
    if (method.methodKind !== 'client_streaming' && bytes > 0) {
      const { userId, ownerRateLimit } = caller;
      await sessions.takeBodyBytes({ userId, ownerRateLimit, bytes });
    }
  };
  return (request, _, done) => {
    const access = contexts.profileOf(request) === 'compat' ? rules.compatAccess : rules.access;
    let token: string | undefined;
    try {
      token = tokenToCheck(request, access);
    } catch (refusal) {
      done(refusal as Error);
      return;
    }
    if (token === undefined) done();
    else checkOwner(request, access, token).then(() => done(), done);
  };
}

/**
 * How many bytes a body counts. A body of unknown size counts as the largest of the method; one that is refused for its
 * announced size counts as nothing.
 */
function bytesToCount(announced: number, { maxBodyBytes }: MethodRules): number {
  const bytes = Number.isFinite(announced) ? announced : maxBodyBytes;
  return bytes > USUAL_BODY_BYTES && bytes <= maxBodyBytes ? bytes : 0;
}

/** The announced size of the body, in bytes; infinite when it is unknown. */
function announcedBytes(request: FastifyRequest): number {
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
  if (length !== undefined) return Number(length);
  return encoding === undefined ? 0 : Number.POSITIVE_INFINITY;
}
