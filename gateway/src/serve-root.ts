import type { FastifyInstance } from 'fastify';
import { CONSOLE_PATH } from './console/console-path.ts';
import { PAGE_PATH } from './documentation/page.ts';

/** What a server without console and documentation says about itself at `/`. */
const SIGNPOST = {
  name: 'steward',
  admin_api: '/_service/admin',
  client_api: '/_proto/client',
  health: '/health',
};

/**
 * Serves `/`, where a browser arrives first: it leads to the console if that is served, else to the documentation.
 *
 * @param isConsoleBuilt `undefined` when there is no console
 */
export function serveRoot(app: FastifyInstance, isConsoleBuilt?: () => Promise<boolean>): void {
  app.get('/', async (_, reply) => {
    if (await isConsoleBuilt?.()) return reply.redirect(`${CONSOLE_PATH}/`);
    return app.hasRoute({ method: 'GET', url: PAGE_PATH }) ? reply.redirect(PAGE_PATH) : reply.send(SIGNPOST);
  });
}
