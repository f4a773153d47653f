import type { IncomingMessage } from 'node:http';
import { refuse } from '@steward/errors';
import { isMarkedSecret } from '@steward/kernel';
import { Access } from '@steward/proto/steward/http/v1/annotations_pb.ts';
import { isAutomationToken, SESSION_SECRET_PREFIX } from '@steward/rpc';
import type { FastifyRequest } from 'fastify';

/** The paths on which automation tokens are accepted begin with this. */
const ADMINISTRATION = '/_service/admin/';

/** The name of the parameter, or an escape that may encode it. */
const MAY_HOLD_TOKEN = /access_token|%/;

/**
 * The access token of a request, from the `Authorization` header or the `access_token` parameter
 * (behaviour.md 0.2); `undefined` when it has none.
 *
 * @throws refuse.missingToken when it is sent in two ways or in an unknown form
 * @throws refuse.unknownToken when the secret of an administrator session is sent as a token
 */
function accessToken(request: FastifyRequest, query: string): string | undefined {
  const token = sentToken(request.raw, query);
  if (token !== undefined && isMarkedSecret(SESSION_SECRET_PREFIX, token))
    throw refuse.unknownToken('Unknown access token');
  return token;
}

/**
 * The credential of a request: its access token, else the secret in the cookie of an administrator session where the method
 * requires a credential.
 *
 * @throws as `accessToken`
 */
export function credential(request: FastifyRequest, query: string, access: Access): string | undefined {
  const token = accessToken(request, query);
  return token === undefined && access !== Access.OPTIONAL ? request.sessionSecret : token;
}

/** The access token of a request, or the secret in its cookie; `undefined` also for a malformed one. */
export function credentialIfAny(request: FastifyRequest, query: string): string | undefined {
  return tokenIfAny(request, query) ?? request.sessionSecret;
}

/** The access token of a request where it may be malformed, e.g. to a method that needs none but may refuse one. */
export function tokenIfAny(request: FastifyRequest, query: string): string | undefined {
  try {
    return accessToken(request, query);
  } catch {
    return undefined;
  }
}

function sentToken(request: IncomingMessage, query: string): string | undefined {
  const sent = countHeader(request.rawHeaders, 'authorization');
  const inQuery = MAY_HOLD_TOKEN.test(query) ? new URLSearchParams(query).get('access_token') : null;
  if (sent > 1 || (sent === 1 && inQuery !== null)) {
    throw refuse.missingToken('The access token must be sent once');
  }
  if (sent === 0) return inQuery ?? undefined;
  const [scheme, token, ...rest] = (request.headers.authorization ?? '').split(' ');
  if (scheme !== 'Bearer' || token === undefined || rest.length > 0) {
    throw refuse.missingToken('The Authorization header must be of the form: Bearer <token>');
  }
  return token;
}

/**
 * Refuses an automation token on paths of the client API, and outside of the `Authorization` header: logs of proxies contain
 * queries.
 *
 * @throws refuse.unknownToken
 */
export function refuseAutomationToken(request: IncomingMessage, path: string, token: string): void {
  if (!isAutomationToken(token)) return;
  if (!path.startsWith(ADMINISTRATION))
    throw refuse.unknownToken('Automation tokens are not accepted on the client API');
  if (request.headers.authorization === undefined)
    throw refuse.unknownToken('Automation tokens are accepted in the Authorization header only');
}

/**
 * The token in the `Authorization` header.
 *
 * @throws refuse.missingToken when it is sent in several ways or in an unknown form
 */
export function tokenInHeader(request: IncomingMessage, query: string): string | undefined {
  const token = sentToken(request, query);
  return request.headers.authorization === undefined ? undefined : token;
}

/** How often a header was sent; Node's parsed headers keep only the first value of some. */
function countHeader(rawHeaders: readonly string[], name: string): number {
  let count = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const sent = rawHeaders[i];
    if (sent?.length === name.length && sent.toLowerCase() === name) count++;
  }
  return count;
}
