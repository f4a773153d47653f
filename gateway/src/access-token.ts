import type { IncomingMessage } from 'node:http';
import { refuse } from '@steward/errors';
import { isMarkedSecret } from '@steward/kernel';
import { SESSION_SECRET_PREFIX } from '@steward/rpc';
import type { FastifyRequest } from 'fastify';

/** The name of the parameter, or an escape that may encode it. */
const MAY_HOLD_TOKEN = /access_token|%/;

/**
 * The access token of a request, from the `Authorization` header or the `access_token` parameter
 * (behaviour.md 0.2), else the secret in the cookie of an administrator session; `undefined` when it has none.
 *
 * @throws refuse.missingToken when a token is sent in two ways or in an unknown form
 * @throws refuse.unknownToken when the secret of an administrator session is sent as a token
 */
export function accessToken(request: FastifyRequest, query: string): string | undefined {
  const token = sentToken(request.raw, query);
  if (token === undefined) return request.sessionSecret;
  if (isMarkedSecret(SESSION_SECRET_PREFIX, token)) throw refuse.unknownToken('Unknown access token');
  return token;
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

/** How often a header was sent; Node's parsed headers keep only the first value of some. */
function countHeader(rawHeaders: readonly string[], name: string): number {
  let count = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const sent = rawHeaders[i];
    if (sent?.length === name.length && sent.toLowerCase() === name) count++;
  }
  return count;
}
