import { refuse } from '@steward/errors';
import type { FastifyRequest } from 'fastify';
import type { Site } from './site.ts';

/** The verbs of requests that change nothing. */
const READS: ReadonlySet<string> = new Set(['GET', 'HEAD']);

/**
 * Refuses a request of a page of another origin. Browsers state the origin of a page in `Origin` with every request that may
 * change something, and in `Sec-Fetch-Site` over TLS. A page of the same site but another origin counts as another one.
 *
 * @param site the origins of the server
 * @param isStated whether a request that may change something must state where it comes from
 * @throws refuse.forbidden
 */
export function requireSameOrigin(site: Site, request: FastifyRequest, isStated: boolean): void {
  const { 'sec-fetch-site': fetchSite, origin } = request.headers;
  const reads = READS.has(request.method);
  if (fetchSite === undefined && origin === undefined) {
    if (isStated && !reads)
      throw refuse.forbidden(
        'A request with the session cookie must have an Origin header, as browsers send it',
      );
    return;
  }
  // A page that the user opened has no origin; it may read.
  const isNear = fetchSite === undefined || fetchSite === 'same-origin' || (fetchSite === 'none' && reads);
  if (!isNear || (origin !== undefined && !site.isOwnOrigin(request, origin)))
    throw refuse.forbidden('The request comes from a page of another origin');
}
