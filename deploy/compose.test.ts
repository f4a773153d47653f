import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadConfig } from '@steward/config';
import { DCLinter } from 'dclint';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { ENTRIES } from './entries.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const file = join(root, 'docker-compose.yml');

/** How long a process may drain, in seconds: DRAIN_TIMEOUT_MS of packages/runtime. */
const DRAIN_S = 20;

interface Service {
  readonly image: string;
  readonly build?: { readonly context: string; readonly dockerfile: string };
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly secrets?: readonly string[];
  readonly configs?: readonly { readonly source: string }[];
  readonly volumes?: readonly string[];
  readonly networks: readonly string[];
  readonly ports?: readonly string[];
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly healthcheck?: object;
  readonly restart: string;
  readonly read_only: boolean;
  readonly tmpfs: readonly string[];
  readonly cap_drop: readonly string[];
  readonly security_opt: readonly string[];
  readonly stop_grace_period: string;
}

interface Compose {
  readonly services: Readonly<Record<string, Service>>;
  readonly networks: Readonly<Record<string, { readonly internal?: boolean }>>;
  readonly volumes: Readonly<Record<string, object>>;
  readonly configs: Readonly<Record<string, { readonly file: string }>>;
  readonly secrets: Readonly<Record<string, { readonly file: string }>>;
}

/** The result of the linter for a file. */
interface Linted {
  readonly messages: readonly { readonly type: 'error' | 'warning'; readonly message: string }[];
}

/** The file with an empty environment: each `${NAME:-default}` is its default. */
const compose: Compose = parse(
  readFileSync(file, 'utf8').replaceAll(/\$\{\w+:-([^}]*)\}/g, (_, fallback: string) => fallback),
  { merge: true },
);
const services = Object.entries(compose.services);
const own = services.filter(([, { image }]) => image === 'steward');

it('conforms to the schema of compose files', () => {
  const linter = new DCLinter({ rules: {}, quiet: true, debug: false, exclude: [] });
  const results: readonly Linted[] = linter.lintFiles([file], false);
  expect(results).toHaveLength(1);
  // Warnings concern the order of keys only.
  expect(results.flatMap(({ messages }) => messages).filter(({ type }) => type === 'error')).toEqual([]);
});

it('has a default for every variable', () => {
  expect(JSON.stringify(compose)).not.toContain('$');
});

it('names every image of others by version and digest', () => {
  const others = services.map(([, { image }]) => image).filter((image) => image !== 'steward');
  expect(others.length).toBeGreaterThan(0);
  for (const image of others) expect(image).toMatch(/^\w+:\d+\.\d+\.\d+\S*@sha256:[0-9a-f]{64}$/);
});

it('uses exactly what it declares', () => {
  const used = (names: (service: Service) => readonly string[] | undefined) =>
    new Set(services.flatMap(([, service]) => names(service) ?? []));
  expect(used(({ secrets }) => secrets)).toEqual(new Set(Object.keys(compose.secrets)));
  expect(used(({ networks }) => networks)).toEqual(new Set(Object.keys(compose.networks)));
  expect(used(({ configs }) => configs?.map(({ source }) => source))).toEqual(
    new Set(Object.keys(compose.configs)),
  );
  const volumeOf = (mount: string) => mount.split(':')[0] ?? '';
  expect(used(({ volumes }) => volumes?.map(volumeOf))).toEqual(new Set(Object.keys(compose.volumes)));
  for (const config of Object.values(compose.configs)) expect(existsSync(join(root, config.file))).toBe(true);
});

describe.each(services)('%s', (name, service) => {
  it('can neither gain privileges nor write outside its volumes', () => {
    expect(service).toMatchObject({
      read_only: true,
      tmpfs: ['/tmp'],
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
    });
  });

  it('restarts when it ends, and has enough time for an orderly stop', () => {
    expect(service.restart).toBe('unless-stopped');
    expect(Number.parseInt(service.stop_grace_period, 10)).toBeGreaterThan(DRAIN_S);
  });

  it('has a published port only if it is the gateway, for this machine only', () => {
    const ports = name === 'gateway' ? ['127.0.0.1:8008:8008'] : undefined;
    expect(service.ports).toEqual(ports);
    const outside = service.networks.filter((network) => !compose.networks[network]?.internal);
    expect(outside).toEqual(name === 'gateway' ? ['outside'] : []);
  });

  it('starts after the services that it needs are healthy', () => {
    for (const [needed, { condition }] of Object.entries(service.depends_on ?? {})) {
      expect(condition).toBe('service_healthy');
      expect(compose.services[needed]?.healthcheck).toBeDefined();
    }
  });
});

describe.each(own)('%s, our own', (name, service) => {
  it('is a process of the image', () => {
    const [command = '', ...more] = service.command ?? [];
    expect(more).toEqual([]);
    expect(existsSync(join(root, ENTRIES[command] ?? 'no such command'))).toBe(true);
    expect(existsSync(join(root, service.build?.context ?? '', service.build?.dockerfile ?? ''))).toBe(true);
  });

  it('has settings that load without a warning, and a network to the services that they name', () => {
    const config = loadConfig({
      env: service.environment ?? {},
      readFile: (path) => secretAt(service, path),
    });
    expect(config.warnings).toEqual([]);
    expect(service.environment).toHaveProperty('STEWARD_CONFIG_OVERRIDES');
    const { user_urls, room_urls, media_urls, moderation_urls } = config.services;
    const peers = [...user_urls, ...room_urls, ...media_urls, ...moderation_urls];
    const urls = [config.store.url, config.bus.nats_url ?? '', ...peers];
    const hosts = urls.filter((url) => URL.canParse(url)).map((url) => new URL(url).hostname);
    expect(hosts.length).toBeGreaterThan(0);
    // Of two services that need each other, one starts first.
    const later = hosts.filter((host) => name in (compose.services[host]?.depends_on ?? {}));
    expect(new Set(hosts).difference(new Set(later))).toEqual(new Set(Object.keys(service.depends_on ?? {})));
    for (const host of hosts) expect(compose.services[host]?.networks).toContain('inside');
    expect(service.networks).toContain('inside');
  });
});

/** Reads a secret at its path in the container. */
function secretAt(service: Service, path: string): string {
  const [, name = ''] = /^\/run\/secrets\/(\w+)$/.exec(path) ?? [];
  if (!service.secrets?.includes(name)) throw new Error('ENOENT');
  return `the ${name} of a test`;
}
