import { parseArgs } from 'node:util';
import { usesEmbeddedStore } from '@steward/config';
import { systemRandom } from '@steward/kernel';
import {
  auditSigningKey,
  auditSigningRecord,
  makePrivate,
  prepareDataDirectory,
  registrationSecret,
  runProcess,
} from '@steward/runtime';
import { banner } from './banner.ts';
import { findEngine } from './find-engine.ts';
import { freePorts } from './free-ports.ts';
import { consecutivePorts, requireFree } from './ports.ts';
import { SERVICES, startTopology } from './start-topology.ts';

const USAGE = `Starts the gateway and all services, one process each, and starts a process again that ends.

  npm run topology -- [options]

  --whole <number>     starts this many whole servers instead: the first on STEWARD_PORT, the others on free ports
  --base-port <port>   the port of the user service; those of room, media and moderation follow. Free ones when left out

The services serve gRPC on their ports, to the programs that \`services.clients\` of the settings names (docs/grpc.md).

The gateway listens on STEWARD_PORT. /health and /metrics of the gateway are on STEWARD_METRICS_PORT, those of user, room,
media and moderation, or of the other whole servers, on the ports that follow; on free ones when it is not set.
`;

/** The most whole servers on one machine. */
const MOST_WHOLE = 16;

const { env } = process;

await runProcess('steward-topology', env, async ({ config, logger }) => {
  const { values } = parseArgs({
    options: {
      'base-port': { type: 'string' },
      whole: { type: 'string' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(USAGE);
    process.exit(0);
  }
  const basePort = values['base-port'];
  const whole = values.whole === undefined ? 0 : wholeServers(values.whole);
  if (whole > 0 && basePort !== undefined)
    throw new Error('--base-port: whole servers have no services apart.');
  const servicePorts =
    basePort === undefined
      ? await freePorts(SERVICES.length)
      : consecutivePorts('--base-port', Number(basePort), SERVICES.length);
  if (basePort !== undefined) await requireFree('--base-port', servicePorts, config.server.host);
  const processes = whole || SERVICES.length + 1;
  const { metrics_port: metricsPort } = config.telemetry;
  const metricsPorts =
    metricsPort === undefined
      ? await freePorts(processes)
      : consecutivePorts('STEWARD_METRICS_PORT', metricsPort, processes);
  const configuredStore = usesEmbeddedStore(config) ? undefined : config.store.url;
  const store = await findEngine([configuredStore, env.MONGODB_URL], {
    port: 27_017,
    url: 'mongodb://127.0.0.1:27017/steward',
    setting: 'STEWARD_STORE',
  });
  const nats = await findEngine([config.bus.nats_url, env.NATS_URL], {
    port: 4222,
    url: 'nats://127.0.0.1:4222',
    setting: 'STEWARD_NATS_URL',
  });
  await prepareDataDirectory(config.server.data);
  await makePrivate(config.server.data, (line) => logger.warn(line));
  const { secret, file } = await registrationSecret(config.server.data, systemRandom);
  const topology = await startTopology({
    env: {
      ...env,
      STEWARD_STORE: store,
      STEWARD_NATS_URL: nats,
      STEWARD_REGISTRATION_SHARED_SECRET: config.registration.shared_secret ?? secret,
      STEWARD_AUDIT_SIGNING_RECORD_FILE:
        config.audit.signing_record_file ?? auditSigningRecord(config.server.data),
      STEWARD_AUDIT_SIGNING_KEY_FILE:
        config.audit.signing_key_file ?? (await auditSigningKey(config.server.data)),
      STEWARD_INTERNAL_CREDENTIAL: config.services.credential,
      // The values of the files are set above.
      STEWARD_REGISTRATION_SHARED_SECRET_FILE: undefined,
      STEWARD_INTERNAL_CREDENTIAL_FILE: undefined,
    },
    tls: config.services.tls.ca_file !== undefined,
    port: config.server.port,
    ...(whole > 0 ? { whole } : { servicePorts }),
    metricsPorts,
    onEnd: (line) => process.stderr.write(`steward-topology: ${line}\n`),
  });
  const { shared_secret: configured } = config.registration;
  const secretFrom = configured === undefined ? file : configured === '' ? 'off' : 'as configured';
  return {
    banner: banner({ topology, metricsPorts, store, nats, secretFrom, config }),
    close: () => topology.close(),
  };
});

/**
 * The number of whole servers.
 *
 * @throws Error in one line when it is not a number from 1 on
 */
function wholeServers(text: string): number {
  const count = Number(text);
  if (!Number.isInteger(count) || count < 1 || count > MOST_WHOLE)
    throw new Error(`--whole must be a number from 1 to ${MOST_WHOLE}.`);
  return count;
}
