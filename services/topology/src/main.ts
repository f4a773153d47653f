import { usesEmbeddedStore } from '@steward/config';
import { systemRandom } from '@steward/kernel';
import { prepareDataDirectory, registrationSecret, runProcess } from '@steward/runtime';
import { findEngine } from './find-engine.ts';
import { startTopology } from './start-topology.ts';

const { env } = process;

await runProcess('steward-topology', env, async ({ config }) => {
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
  const { secret, file } = await registrationSecret(config.server.data, systemRandom);
  const topology = await startTopology({
    env: {
      ...env,
      STEWARD_STORE: store,
      STEWARD_NATS_URL: nats,
      STEWARD_REGISTRATION_SHARED_SECRET: config.registration.shared_secret ?? secret,
      STEWARD_INTERNAL_CREDENTIAL: config.services.credential,
      // The values of the files are set above; a metrics port can be used by one process only.
      STEWARD_REGISTRATION_SHARED_SECRET_FILE: undefined,
      STEWARD_INTERNAL_CREDENTIAL_FILE: undefined,
      STEWARD_METRICS_PORT: undefined,
    },
    port: config.server.port,
  });
  const lines = [
    `steward is ready at ${topology.url}, as several processes`,
    '',
    ...topology.user.map(({ url }) => `  User service         ${url}`),
    ...topology.room.map(({ url }) => `  Room service         ${url}`),
    ...topology.media.map(({ url }) => `  Media service        ${url}`),
    `  Store                ${hideSecrets(store)}`,
    `  Broker               ${hideSecrets(nats)}`,
    `  Registration secret  ${config.registration.shared_secret === undefined ? file : 'as configured'}`,
    '',
  ];
  return { banner: `${lines.join('\n')}\n`, close: () => topology.close() };
});

/** Returns a URL without its credentials. */
function hideSecrets(url: string): string {
  return url.replace(/\/\/[^@/]*@/, '//');
}
