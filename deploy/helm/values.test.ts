import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SyncService } from '@steward/proto/steward/room/v1/sync_pb.ts';
import { methodRules } from '@steward/rpc';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { values } from './values.ts';

const MS_PER_S = 1000;

/** How long a request may take besides its wait, in milliseconds: CALL_TIMEOUT_MS of the gateway. */
const CALL_TIMEOUT_MS = 60_000;

const root = fileURLToPath(new URL('../..', import.meta.url));
const chart = join(root, 'deploy/helm/steward');
const read = (file: string) => parse(readFileSync(file, 'utf8'), { merge: true });

it('the Helm chart is the chart of this release', () => {
  expect(read(join(chart, 'Chart.yaml')).appVersion).toBe(read(join(root, 'package.json')).version);
});

it('bundles the engines of docker-compose.yml', () => {
  const { services } = read(join(root, 'docker-compose.yml'));
  const { mongodb, nats } = values.parse({});
  expect(mongodb.image).toBe(services.mongo.image);
  expect(nats.image).toBe(services.nats.image);
});

it('describes every value', () => {
  const table = readFileSync(join(chart, 'VALUES.md'), 'utf8');
  expect(table).toContain('| `defaults.autoscaling.cpuPercent` | `70` | The use');
  expect(table.split('\n').filter((line) => line.endsWith('|  |'))).toEqual([]);
});

it('shows proxies that wait longer than the longest poll may take', () => {
  const longestMs = methodRules(SyncService.method.sync).maxWaitMs + CALL_TIMEOUT_MS;
  for (const file of ['ingress-tls', 'gateway-api']) {
    const text = readFileSync(join(chart, `ci/${file}-values.yaml`), 'utf8');
    const [, seconds] = /(?:proxy-read-timeout: "|request: )(\d+)/.exec(text) ?? [];
    expect(Number(seconds) * MS_PER_S).toBeGreaterThan(longestMs);
  }
});

it('links only to files that exist', () => {
  const text = readFileSync(join(chart, 'README.md'), 'utf8');
  const links = [...text.matchAll(/\]\((?!https?:)([^)#]+)[^)]*\)/g)].map(([, link = '']) => link);
  expect(links.length).toBeGreaterThan(0);
  for (const link of links) expect(globSync(link, { cwd: chart }), link).toHaveLength(1);
});
