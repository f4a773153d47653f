import type { DescService } from '@bufbuild/protobuf';
import { createClient } from '@connectrpc/connect';
import { systemClock, systemRandom } from '@steward/kernel';
import { ProcessService } from '@steward/proto/steward/moderation/v1/server_status_pb.ts';
import type { Channel } from '@steward/rpc';
import {
  announceProcess,
  checkPeers,
  createReadiness,
  openPeer,
  type Peer,
  runProcess,
  serveProbes,
} from '@steward/runtime';
import { listen } from './listen.ts';
import { createGateway } from './server.ts';

/** How long the report of a gateway may take, in milliseconds. */
const REPORT_TIMEOUT_MS = 2_000;

await runProcess('steward-gateway', process.env, async (context) => {
  const { config, logger, metrics, tracing } = context;
  const open = (peer: Peer) => openPeer(context, 'gateway', peer);
  const channels: Readonly<Record<Peer, Channel>> = {
    user: open('user'),
    room: open('room'),
    media: open('media'),
    moderation: open('moderation'),
  };
  const readiness = createReadiness(metrics);
  const { host } = config.server;
  const { metrics_port: metricsPort, metrics_token: metricsToken } = config.telemetry;
  // From the start to the end, because both can take long.
  const probes =
    metricsPort === undefined
      ? undefined
      : await serveProbes({ host, port: metricsPort, metrics, metricsToken, readiness });
  // Almost every request has a token, which the user service looks up. Without another service the rest of the API works,
  // and no other gateway would serve more.
  readiness.serve(checkPeers(channels, (peer) => (peer === 'user' ? 'unready' : 'unhealthy')));
  const app = await createGateway({
    config,
    logger,
    random: systemRandom,
    metrics,
    tracing,
    transportOf: (service) => channelOf(channels, service),
    readiness,
  });
  const url = await listen(app, config.server);
  // A gateway has no store.
  const reports = createClient(ProcessService, channels.moderation);
  const described = {
    kind: 'gateway',
    clock: systemClock,
    random: systemRandom,
    metrics,
    readiness,
  } as const;
  const report = { timeoutMs: REPORT_TIMEOUT_MS };
  const announcing = announceProcess(described, {
    record: (process) => reports.reportProcess({ process }, report),
    remove: ({ id }) => reports.reportProcess({ process: { id }, ended: true }, report),
  });
  return {
    banner: `ready at ${url}\n`,
    async close() {
      readiness.drain();
      await app.close();
      await announcing.close();
      for (const channel of Object.values(channels)) channel.close();
      await probes?.close();
    },
  };
});

/** The channel to the service that serves an RPC service, whose package is named `steward.<service>.v1`. */
function channelOf(channels: Readonly<Record<Peer, Channel>>, { typeName }: DescService): Channel {
  const channel: Channel | undefined = channels[typeName.split('.')[1] as Peer];
  if (!channel) throw new Error(`No service serves ${typeName}`);
  return channel;
}
