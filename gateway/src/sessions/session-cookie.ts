import { secretInCookies } from '@steward/kernel';
import { readSessionCookie, SESSION_SECRET_PREFIX } from '@steward/rpc';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Site } from './site.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The secret in the cookie of an administrator session; `undefined` without one, and outside of the administrative API. */
    sessionSecret: string | undefined;
  }
}

/** The paths on which the cookie is read. */
const ADMIN_PATHS = '/_service/admin/';

const NAME = 'steward-session';

/** Browsers accept a cookie of this prefix only over TLS, and only from the host itself. */
const HOST_PREFIX = '__Host-';

/** Reads the cookies of administrator sessions. To be called before all hooks that read credentials. */
export function readSessionCookies(app: FastifyInstance, site: Site): void {
  app.decorateRequest('sessionSecret', undefined);
  app.addHook('onRequest', (request, _, done) => {
    const { cookie } = request.headers;
    if (cookie !== undefined && request.raw.url?.startsWith(ADMIN_PATHS))
      request.sessionSecret = secretInCookies(cookie, nameOf(site, request), SESSION_SECRET_PREFIX);
    done();
  });
}

/** Sets or clears the cookie if the answer to the call says so. */
export function writeSessionCookie(
  site: Site,
  request: FastifyRequest,
  reply: FastifyReply,
  header: Headers,
) {
  const cookie = readSessionCookie(header);
  if (!cookie) return;
  const { secret, maxAgeS } = cookie;
  const secure = site.isSecure(request) ? '; Secure' : '';
  reply.header(
    'set-cookie',
    `${nameOf(site, request)}=${secret}; Path=/; Max-Age=${maxAgeS}; HttpOnly; SameSite=Strict${secure}`,
  );
}

function nameOf(site: Site, request: FastifyRequest): string {
  return site.isSecure(request) ? HOST_PREFIX + NAME : NAME;
}
