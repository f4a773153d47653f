import { refuse } from '@steward/errors';
import { answerProbe, PROBE_PATHS } from '@steward/runtime';
import { admitsScraper } from '@steward/telemetry';
import type { FastifyInstance } from 'fastify';
import type { GatewayOptions } from './options.ts';
import { sendError } from './transcode.ts';

const ALWAYS_ADMITTED = { alwaysAdmitted: true };

/**
 * Serves `/health`, `/health/ready` and `/health/live`, and `/metrics` for callers that know the token for it. Without a token `/metrics` does not exist
 * here, not even for callers on the same machine: behind a proxy on that machine all callers are.
 */
export async function serveHealth(app: FastifyInstance, options: GatewayOptions): Promise<void> {
  for (const path of PROBE_PATHS) {
    app.get(path, { config: ALWAYS_ADMITTED }, async (_, reply) => {
      const { status, body } = await answerProbe(path, options.readiness);
      return reply.code(status).send(body);
    });
  }
  const { metrics } = options;
  const { metrics_port: port, metrics_token: token } = options.config.telemetry;
  if (port !== undefined || token === undefined) return;
  app.get('/metrics', { config: ALWAYS_ADMITTED }, async (request, reply) => {
    const { authorization } = request.headers;
    if (authorization === undefined)
      return sendError(reply, refuse.missingToken('Missing token for metrics'));
    if (!admitsScraper(authorization, token)) {
      return sendError(reply, refuse.unknownToken('Unknown token for metrics'));
    }
    return reply.header('content-type', metrics.contentType).send(await metrics.render());
  });
}
