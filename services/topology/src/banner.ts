import { parseServers } from '@steward/events';
import { addressOf } from '@steward/store';
import type { Topology } from './start-topology.ts';

/** The width of the column of names. */
const NAME_WIDTH = 21;

/** Returns the lines that the topology prints when it is ready: each process with its ports, and the addresses of the engines. */
export function banner(about: {
  readonly topology: Topology;
  /** In the order of the gateways, and the user, room, media and moderation services. */
  readonly metricsPorts: readonly number[];
  readonly store: string;
  readonly nats: string;
  readonly secretFrom: string;
}): string {
  const { topology, metricsPorts, store, nats, secretFrom } = about;
  const { gateways, user, room, media, moderation } = topology;
  const processes = Object.entries({
    Gateway: gateways,
    'User service': user,
    'Room service': room,
    'Media service': media,
    'Moderation service': moderation,
  }).flatMap(([name, children]) => children.map(({ url }) => ({ name, url })));
  const rows = [
    ...processes.map(({ name, url }, n) => [name, `${url}  metrics ${urlOnPort(url, metricsPorts[n])}`]),
    ['Store', addressOf(store)],
    ['Broker', parseServers(nats).servers.join(', ')],
    ['Registration secret', secretFrom],
  ] as const;
  const lines = rows.map(([name = '', value]) => `  ${name.padEnd(NAME_WIDTH)}${value}`);
  return `steward is ready at ${topology.url}, as several processes\n\n${lines.join('\n')}\n\n`;
}

/** Returns the URL of the metrics of the process at `url`. */
function urlOnPort(url: string, port: number | undefined): string {
  return `http://${new URL(url).hostname}:${port}/metrics`;
}
