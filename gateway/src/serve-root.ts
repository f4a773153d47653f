import type { FastifyInstance } from 'fastify';
import { PAGE_PATH } from './documentation/page.ts';

/** What a server without documentation says about itself at `/`. */
const SIGNPOST = {
  name: 'steward',
  admin_api: '/_service/admin',
  client_api: '/_proto/client',
  health: '/health',
};

/** Serves `/`, where a browser arrives first: it leads to the documentation if that is served. */
export function serveRoot(app: FastifyInstance): void {
  app.get('/', (_, reply) =>
    app.hasRoute({ method: 'GET', url: PAGE_PATH }) ? reply.redirect(PAGE_PATH) : reply.send(SIGNPOST),
  );
}
