import type { Config } from '@steward/config';
import { parseServers } from '@steward/events';
import { firstAdministrator } from '@steward/runtime';
import { addressOf } from '@steward/store';
import type { Topology } from './start-topology.ts';

/** The width of the column of names. */
const NAME_WIDTH = 21;

/** Returns the lines that the topology prints when it is ready: each process with its ports, and the addresses of the engines. */
export function banner(about: {
  readonly topology: Topology;
  /** In the order of the gateways or whole servers, and the user, room, media and moderation services. */
  readonly metricsPorts: readonly number[];
  readonly store: string;
  readonly nats: string;
  readonly secretFrom: string;
  readonly config: Pick<Config, 'server'>;
}): string {
  const { topology, metricsPorts, store, nats, secretFrom, config } = about;
  const { gateways, user, room, media, moderation } = topology;
  const processes = Object.entries({
    [user.length === 0 ? 'Server' : 'Gateway']: gateways,
    'User service': user,
    'Room service': room,
    'Media service': media,
    'Moderation service': moderation,
  }).flatMap(([name, children]) => children.map(({ url }) => ({ name, url })));
  const { url } = topology;
  const first = firstAdministrator({
    url,
    config,
    secretFrom,
    heading: 'Unless there is an administrator, create one in another terminal:',
  });
  const rows = [
    ...(config.server.console ? [['Console', `${url}/_service/console/`] as const] : []),
    ...processes.map(({ name, url }, n) => [name, `${url}  metrics ${urlOnPort(url, metricsPorts[n])}`]),
    ['Store', addressOf(store)],
    ['Broker', parseServers(nats).servers.join(', ')],
    ['Registration secret', secretFrom],
  ] as const;
  const lines = rows.map(([name = '', value]) => `  ${name.padEnd(NAME_WIDTH)}${value}`);
  return `steward is ready at ${url}, as several processes\n\n${[...lines, '', ...first].join('\n')}\n`;
}

/** Returns the URL of the metrics of the process at `url`. */
function urlOnPort(url: string, port: number | undefined): string {
  return `http://${new URL(url).hostname}:${port}/metrics`;
}
