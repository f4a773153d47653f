import type { DescService } from '@bufbuild/protobuf';
import { createClient } from '@connectrpc/connect';
import { systemClock, systemRandom } from '@steward/kernel';
import {
  Health,
  HealthCheckResponse_ServingStatus as ServingStatus,
} from '@steward/proto/health/v1/health_pb.ts';
import type { Channel } from '@steward/rpc';
import { openPeer, type Peer, runProcess, serveProbes } from '@steward/runtime';
import { listen } from './listen.ts';
import { createGateway } from './server.ts';

/** How long a service may take to answer a health check, in milliseconds; less than the image's health check waits. */
const HEALTH_TIMEOUT_MS = 4_000;

await runProcess('steward-gateway', process.env, async ({ config, logger, metrics, tracing }) => {
  const open = (peer: Peer) => openPeer(config, 'gateway', peer, tracing);
  const channels: Readonly<Record<string, Channel>> = {
    user: open('user'),
    room: open('room'),
    media: open('media'),
    moderation: open('moderation'),
  };
  const checks = Object.values(channels).map((channel) => createClient(Health, channel));
  const healthy = async () => {
    const answers = await Promise.all(
      checks.map((health) =>
        health
          .check({}, { timeoutMs: HEALTH_TIMEOUT_MS })
          .catch(() => ({ status: ServingStatus.NOT_SERVING })),
      ),
    );
    return answers.every(({ status }) => status === ServingStatus.SERVING);
  };
  const app = await createGateway({
    config,
    logger,
    clock: systemClock,
    random: systemRandom,
    metrics,
    tracing,
    transportOf: (service) => channelOf(channels, service),
    healthy,
  });
  const url = await listen(app, config.server);
  const { metrics_port: metricsPort, metrics_token: metricsToken } = config.telemetry;
  const probes =
    metricsPort === undefined
      ? undefined
      : await serveProbes({ host: config.server.host, port: metricsPort, metrics, metricsToken, healthy });
  return {
    banner: `ready at ${url}\n`,
    async close() {
      await probes?.close();
      await app.close();
      for (const channel of Object.values(channels)) channel.close();
    },
  };
});

/** The channel to the service that serves an RPC service, whose package is named `steward.<service>.v1`. */
function channelOf(channels: Readonly<Record<string, Channel>>, { typeName }: DescService): Channel {
  const channel = channels[typeName.split('.')[1] ?? ''];
  if (!channel) throw new Error(`No service serves ${typeName}`);
  return channel;
}
