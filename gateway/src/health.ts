import { refuse } from '@steward/errors';
import type { FastifyInstance } from 'fastify';
import type { GatewayOptions } from './options.ts';
import { sendError } from './transcode.ts';

const LOOPBACK = /^(?:127\.|::1$|::ffff:127\.)/;

/** Serves `/health`, and `/metrics` for callers on the same machine unless metrics have a separate port. */
export async function serveHealth(app: FastifyInstance, options: GatewayOptions): Promise<void> {
  app.get('/health', async (_, reply) => {
    const healthy = await options.healthy();
    return reply.code(healthy ? 200 : 503).send({ status: healthy ? 'ok' : 'unavailable' });
  });
  if (options.config.telemetry.metrics_port !== undefined) return;
  app.get('/metrics', async (request, reply) => {
    if (!LOOPBACK.test(request.ip)) {
      return sendError(reply, refuse.unrecognized('Unrecognized request'));
    }
    const { metrics } = options;
    return reply.header('content-type', metrics.registry.contentType).send(await metrics.render());
  });
}
