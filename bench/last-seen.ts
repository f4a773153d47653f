import { join } from 'node:path';
import { type Client, createClient } from '@connectrpc/connect';
import { loadConfig } from '@steward/config';
import { createLocalBus } from '@steward/events';
import { systemClock, systemRandom } from '@steward/kernel';
import { RegistrationService } from '@steward/proto/steward/user/v1/registration_pb.ts';
import { SessionService } from '@steward/proto/steward/user/v1/sessions_pb.ts';
import { createLocalTransport, defer, headers, identify } from '@steward/rpc';
import { openSqliteStore } from '@steward/store';
import { noMeters } from '@steward/telemetry';
import { noMedia, noRooms, registrationMac, startUserService } from '@steward/user';
import { type Load, loadTask, median } from './load.ts';
import { SECRET } from './servers.ts';

/** The largest acceptable ratio of a call's time with recording to its time without. */
const AIM = 1.3;

/** The number of addresses from which the bench uses the token in turn. */
const ADDRESSES = 8;

/**
 * Measures `whoami` without and with the recording of token uses, alternating (A B A B). It calls the service in this
 * process, so that it measures only the service.
 */
export async function lastSeen(options: {
  readonly directory: string;
  readonly seconds: number;
  readonly rounds: number;
}): Promise<void> {
  const overrides = { registration: { shared_secret: SECRET }, rate_limits: { enabled: false } };
  const config = loadConfig({ env: { STEWARD_CONFIG_OVERRIDES: JSON.stringify(overrides) } });
  const store = await openSqliteStore({ path: join(options.directory, 'last-seen.db') });
  const engine = { store, clock: systemClock, random: systemRandom, report: console.error, meters: noMeters };
  const bus = await createLocalBus(engine);
  const user = await startUserService({ config, bus, rooms: noRooms, media: noMedia, ...engine });
  const transport = createLocalTransport(user.routes, { interceptors: [identify(user.authenticate), defer] });
  const token = await register(createClient(RegistrationService, transport));
  const sessions = createClient(SessionService, transport);
  const authenticated = { [headers.accessToken]: token };

  const unrecorded: Load[] = [];
  const recorded: Load[] = [];
  for (let round = 0; round < options.rounds; round++) {
    unrecorded.push(
      await loadTask(options.seconds, async () => {
        await sessions.whoAmI({}, { headers: authenticated });
      }),
    );
    recorded.push(
      await loadTask(options.seconds, async (n) => {
        const address = `192.0.2.${n % ADDRESSES}`;
        await sessions.whoAmI({}, { headers: { ...authenticated, [headers.clientAddress]: address } });
      }),
    );
  }
  await user.close();
  await bus.close();
  await store.close();

  const ratios = recorded.map((one, round) => one.meanMs / (unrecorded[round]?.meanMs ?? 1));
  const perSecond = (loads: readonly Load[]) => median(loads.map((one) => one.perSecond)).toFixed(0);
  console.log(
    `whoami with its use recorded: ${perSecond(recorded)}/s, without: ${perSecond(unrecorded)}/s, ` +
      `${median(ratios).toFixed(2)} times as long (at most ${AIM.toFixed(2)})\n`,
  );
}

async function register(client: Client<typeof RegistrationService>): Promise<string> {
  const { nonce } = await client.getNonce({});
  const account = { nonce, username: 'bench', password: 'bench', admin: false };
  const mac = registrationMac(SECRET, account);
  const { accessToken } = await client.registerWithSecret({ ...account, mac });
  return accessToken ?? '';
}
