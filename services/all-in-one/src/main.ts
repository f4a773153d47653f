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
  const isAlone = usesEmbeddedStore(loaded);
  if (isAlone && loaded.bus.nats_url !== undefined) {
    warn(
      'STEWARD_NATS_URL is not used: a process on the embedded store needs no broker. To share a server among several, see docs/install.md.',
    );
  }
  const { grpc_port: grpcPort } = loaded.server;
  if (grpcPort !== undefined && loaded.services.clients.length === 0) {
    warn('STEWARD_GRPC_PORT: no program can call the server: services.clients names none. See docs/grpc.md.');
  }
  // On engines that it shares, only media can be in the data directory.
  const usesDirectory = isAlone || loaded.media.store === 'file';
  if (usesDirectory) await prepareDataDirectory(loaded.server.data);
  const release = isAlone ? lockDirectory(loaded.server.data) : () => {};
  if (usesDirectory) await makePrivate(loaded.server.data, (line) => logger.warn(line));
  // SQLite sorts the entries of new indexes in files, for which the data directory has space.
  if (isAlone) process.env.SQLITE_TMPDIR ??= loaded.server.data;
  // What one of several processes generated, the others would not know.
  const { config, secretFrom } = isAlone
    ? await withSecret(await withSigningKey(loaded))
    : { config: loaded, secretFrom: '' };
  const server = await startAllInOne({ config, logger, metrics, tracing, tls });
  const { url, grpcUrl } = server;
  return {
    banner: isAlone
      ? banner({ url, grpcUrl, config, secretFrom, isNew: !(await server.hasAdministrator()) })
      : `ready at ${url}\n`,
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
