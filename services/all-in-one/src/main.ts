import { type Config, usesEmbeddedStore } from '@steward/config';
import { systemRandom } from '@steward/kernel';
import {
  auditSigningKey,
  auditSigningRecord,
  makePrivate,
  prepareDataDirectory,
  registrationSecret,
  runProcess,
} from '@steward/runtime';
import { lockDirectory } from '@steward/store';
import { banner } from './banner.ts';
import { startAllInOne } from './service.ts';

await runProcess('steward', process.env, async ({ config: loaded, logger, metrics, tracing, tls, warn }) => {
  if (!usesEmbeddedStore(loaded)) {
    throw new Error('One process keeps its data in the embedded store: STEWARD_STORE must be sqlite.');
  }
  if (loaded.bus.nats_url !== undefined) {
    warn(
      'STEWARD_NATS_URL is not used: one process needs no broker. For several processes, see docs/install.md.',
    );
  }
  const { grpc_port: grpcPort } = loaded.server;
  if (grpcPort !== undefined && loaded.services.clients.length === 0) {
    warn('STEWARD_GRPC_PORT: no program can call the server: services.clients names none. See docs/grpc.md.');
  }
  await prepareDataDirectory(loaded.server.data);
  // SQLite sorts the entries of new indexes in files, for which the data directory has space.
  process.env.SQLITE_TMPDIR ??= loaded.server.data;
  const release = lockDirectory(loaded.server.data);
  await makePrivate(loaded.server.data, (line) => logger.warn(line));
  const { config, secretFrom } = await withSecret(await withSigningKey(loaded));
  const server = await startAllInOne({ config, logger, metrics, tracing, tls });
  return {
    banner: banner({
      url: server.url,
      grpcUrl: server.grpcUrl,
      config,
      secretFrom,
      isNew: !(await server.hasAdministrator()),
    }),
    async close() {
      await server.close();
      release();
    },
  };
});

/** The configuration with a registration secret: as configured, else generated in the data directory. */
async function withSecret(config: Config): Promise<{ config: Config; secretFrom: string }> {
  const { shared_secret: configured } = config.registration;
  if (configured !== undefined) {
    return { config, secretFrom: configured === '' ? 'off' : 'as configured' };
  }
  const { secret, file } = await registrationSecret(config.server.data, systemRandom);
  const registration = { ...config.registration, shared_secret: secret };
  return { config: { ...config, registration }, secretFrom: file };
}

/** The configuration with a key for checkpoints of the audit log: as configured, else generated in the data directory. */
async function withSigningKey(config: Config): Promise<Config> {
  const { data } = config.server;
  const { signing_key_file = await auditSigningKey(data), signing_record_file = auditSigningRecord(data) } =
    config.audit;
  return { ...config, audit: { ...config.audit, signing_key_file, signing_record_file } };
}
