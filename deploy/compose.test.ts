import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runInNewContext } from 'node:vm';
import { loadConfig } from '@steward/config';
import { DCLinter } from 'dclint';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { COMMANDS } from './commands.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const file = join(root, 'docker-compose.yml');
const external = join(root, 'docker-compose.external.yml');
const tls = join(root, 'docker-compose.tls.yml');
const whole = join(root, 'docker-compose.whole.yml');

/** The services with accounts on the engines, and the commands. */
const ACCOUNTS = ['user', 'room', 'media', 'moderation', 'operator'] as const;

/** How long a process may drain, in seconds: DRAIN_TIMEOUT_MS of packages/runtime. */
const DRAIN_S = 20;

interface Service {
  readonly image: string;
  readonly build?: { readonly context: string; readonly dockerfile: string };
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly profiles?: readonly string[];
  readonly secrets?: readonly (string | { readonly source: string })[];
  readonly logging: { readonly options: Readonly<Record<string, string>> };
  readonly mem_limit: string;
  readonly cpus: number;
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

it.each([file, external, tls, whole])('conforms to the schema of compose files: %s', (path) => {
  const linter = new DCLinter({ rules: {}, quiet: true, debug: false, exclude: [] });
  const results: readonly Linted[] = linter.lintFiles([path], false);
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
  for (const image of others) expect(image).toMatch(/^[\w/]+:v?\d+\.\d+\.\d+\S*@sha256:[0-9a-f]{64}$/);
});

it('uses exactly what it declares', () => {
  const used = (names: (service: Service) => readonly string[] | undefined) =>
    new Set(services.flatMap(([, service]) => names(service) ?? []));
  expect(used(({ secrets }) => secrets?.map(nameOf))).toEqual(new Set(Object.keys(compose.secrets)));
  expect(used(({ networks }) => networks)).toEqual(new Set(Object.keys(compose.networks)));
  expect(used(({ configs }) => configs?.map(({ source }) => source))).toEqual(
    new Set(Object.keys(compose.configs)),
  );
  const volumeOf = (mount: string) => mount.split(':')[0] ?? '';
  const mounts = used(({ volumes }) => volumes?.map(volumeOf));
  const folders = [...mounts].filter((mount) => mount.startsWith('./'));
  expect(mounts).toEqual(new Set([...Object.keys(compose.volumes), ...folders]));
  for (const folder of folders) expect(existsSync(join(root, folder)), folder).toBe(true);
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

  it('has limits of memory, processor and log', () => {
    expect(service.mem_limit).toMatch(/^\d+[mg]$/);
    expect(Number(service.cpus)).toBeGreaterThan(0);
    expect(service.logging.options).toEqual({ 'max-size': '50m', 'max-file': '5' });
  });

  it('has secrets in files only', () => {
    for (const [key, value] of Object.entries(service.environment ?? {})) {
      if (/PASSWORD|SECRET|CREDENTIAL|TOKEN|KEY/.test(key)) expect(value, key).toMatch(/^\/run\/secrets/);
      expect(String(value), key).not.toMatch(/:\/\/[^/]*@/);
    }
  });

  it('restarts when it ends, except a command, and has enough time for an orderly stop', () => {
    expect(service.restart).toBe(name === 'operator' ? 'no' : 'unless-stopped');
    expect(Number.parseInt(service.stop_grace_period, 10)).toBeGreaterThan(DRAIN_S);
  });

  it('has a published port, for this machine only, if people use it, and a way outside only then or for webhooks, pushes and identity providers', () => {
    const published: Readonly<Record<string, readonly [string | undefined, string]>> = {
      gateway: ['127.0.0.1:8008:8008', 'outside'],
      grafana: ['127.0.0.1:3000:3000', 'dashboards'],
      moderation: [undefined, 'webhooks'],
      room: [undefined, 'pushes'],
      user: [undefined, 'providers'],
    };
    const [port, outside] = published[name] ?? [];
    expect(service.ports).toEqual(port === undefined ? undefined : [port]);
    const networks = service.networks.filter((network) => !compose.networks[network]?.internal);
    expect(networks).toEqual(outside === undefined ? [] : [outside]);
  });

  it('shares a network with store and broker only if it has accounts there', () => {
    const engines = new Set(['mongo', 'nats', ...ACCOUNTS]);
    expect(service.networks.includes('engines')).toBe(engines.has(name));
  });

  it('starts after the services that it needs are healthy', () => {
    for (const [needed, { condition }] of Object.entries(service.depends_on ?? {})) {
      expect(condition).toBe('service_healthy');
      expect(compose.services[needed]?.healthcheck).toBeDefined();
    }
  });
});

describe.each(own)('%s, our own', (name, service) => {
  it('an own engine is a process of the image', () => {
    const [command = '', ...more] = service.command ?? [];
    expect(more).toEqual([]);
    expect(existsSync(join(root, COMMANDS[command]?.source ?? 'no such command'))).toBe(true);
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
    const reached = (host: string) => compose.services[host]?.networks ?? [];
    for (const host of hosts)
      expect(service.networks.some((network) => reached(host).includes(network))).toBe(true);
  });

  it.runIf(name !== 'gateway')('has accounts of its own on both engines, and can take others', () => {
    const { STEWARD_STORE, STEWARD_NATS_URL, ...environment } = service.environment ?? {};
    expect(environment).toMatchObject({
      STEWARD_STORE_USER: `steward-${name}`,
      STEWARD_STORE_PASSWORD_FILE: `/run/secrets/mongo_${name}_password`,
      STEWARD_NATS_USER: `steward-${name}`,
      STEWARD_NATS_PASSWORD_FILE: `/run/secrets/nats_${name}_password`,
    });
    expect([STEWARD_STORE, STEWARD_NATS_URL].every((url) => url !== undefined)).toBe(true);
    const text = readFileSync(file, 'utf8');
    for (const variable of ['STEWARD_STORE', 'STEWARD_NATS_URL']) expect(text).toContain(`\${${variable}:-`);
    const foreign = ACCOUNTS.filter((account) => account !== name);
    const passwords = foreign.flatMap((account) => [`mongo_${account}_password`, `nats_${account}_password`]);
    expect(service.secrets?.map(nameOf).filter((secret) => passwords.includes(secret))).toEqual([]);
  });
});

describe('with MongoDB and NATS elsewhere', () => {
  const tag = (name: string, value: unknown) => ({
    tag: name,
    collection: 'map' as const,
    value,
    resolve: (map: unknown) => map,
  });
  const other = parse(readFileSync(external, 'utf8'), {
    merge: true,
    customTags: [tag('!override', 'override'), tag('!reset', 'reset')],
  }) as Pick<Compose, 'services' | 'networks'>;

  it('nothing waits for the bundled ones, which are not started', () => {
    for (const engine of ['mongo', 'nats']) expect(other.services[engine]?.profiles).toEqual(['bundled']);
    const text = readFileSync(external, 'utf8');
    const waiting = Object.entries(other.services).filter(([name]) => name !== 'mongo' && name !== 'nats');
    expect(waiting.map(([name]) => name)).toEqual(ACCOUNTS);
    for (const [, { depends_on: needed = {} }] of waiting)
      expect(Object.keys(needed).filter((name) => name === 'mongo' || name === 'nats')).toEqual([]);
    expect(text.match(/depends_on: !(?:override|reset)/g)).toHaveLength(ACCOUNTS.length);
    expect(other.networks.engines?.internal).toBe(false);
  });
});

it('what the audit log has signed is kept outside of the database, in a volume of its own', () => {
  const mounts = services.filter(([, { volumes = [] }]) =>
    volumes.some((mount) => mount.startsWith('audit:')),
  );
  expect(mounts.map(([name, { volumes }]) => [name, volumes])).toEqual([['moderation', ['audit:/data']]]);
  const { audit } = loadConfig({
    env: compose.services.moderation?.environment ?? {},
    readFile: () => 'a secret of a file',
  });
  expect(audit.signing_record_file).toMatch(/^\/data\//);
});

describe('with whole servers', () => {
  const text = readFileSync(whole, 'utf8').replaceAll(
    /\$\{\w+:-([^}]*)\}/g,
    (_, fallback: string) => fallback,
  );
  const other: Compose = parse(text, { merge: true });
  const { server } = other.services;

  it('the gateway and the services do not start, and each server is confined as they are', () => {
    const { command, environment, secrets, volumes, networks, ports, depends_on, ...confined } =
      server as Service;
    const { image, build, restart, read_only, tmpfs, cap_drop, security_opt, logging } = compose.services
      .user as Service;
    expect(confined).toMatchObject({
      image,
      build,
      restart,
      read_only,
      tmpfs,
      cap_drop,
      security_opt,
      logging,
    });
    for (const name of ['gateway', 'user', 'room', 'media', 'moderation'])
      expect(other.services[name]).toEqual({ profiles: ['apart'] });
    expect(command).toEqual(['serve']);
    expect(ports).toEqual(['127.0.0.1:8008-8017:8008']);
    expect(networks).toContain('engines');
  });

  it('each server has settings that load without a warning, and the account of whole servers on both engines', () => {
    const { environment = {}, secrets = [] } = server as Service;
    const config = loadConfig({ env: environment, readFile: (path) => secretAt(server as Service, path) });
    expect(config.warnings).toEqual([]);
    expect(config.store.user).toBe('steward-server');
    expect(config.bus.nats_user).toBe('steward-server');
    expect(config.media.store).toBe('gridfs');
    expect(config.audit.signing_key_file).toBe('/run/secrets/audit_signing_key');
    const declared = { ...compose.secrets, ...other.secrets };
    for (const secret of secrets) expect(declared).toHaveProperty(nameOf(secret));
    const roles = JSON.parse(readFileSync(join(root, other.configs.mongo_roles?.file ?? ''), 'utf8'));
    const apart = JSON.parse(readFileSync(join(root, 'deploy/mongo/roles.json'), 'utf8'));
    expect(Object.keys(roles)).toEqual(['steward-server']);
    expect(roles['steward-server']).toEqual(Object.assign({}, ...Object.values(apart)));
    for (const { file: path } of Object.values(other.configs))
      expect(existsSync(join(root, path))).toBe(true);
  });
});

it('with TLS between processes, each of them has the three files', () => {
  const { services } = parse(readFileSync(tls, 'utf8'), { merge: true }) as Pick<Compose, 'services'>;
  expect(Object.keys(services)).toEqual(['gateway', 'user', 'room', 'media', 'moderation']);
  for (const { environment = {}, secrets = [] } of Object.values(services)) {
    const env = { ...environment, STEWARD_USER_URLS: 'https://user:8008' };
    const files = Object.values(loadConfig({ env }).services.tls);
    expect(files).toEqual(secrets.map((name) => `/run/secrets/${name}`));
    expect(files).toHaveLength(3);
  }
});

describe('the secrets and accounts', () => {
  let folder: string;
  const run = (...names: string[]) =>
    execFileSync('sh', [join(folder, 'deploy/make-secrets.sh'), ...names], { stdio: 'pipe' });
  const secret = (name: string) => readFileSync(join(folder, 'secrets', name), 'utf8');

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'steward-compose-'));
    mkdirSync(join(folder, 'deploy'));
    cpSync(join(root, 'deploy/make-secrets.sh'), join(folder, 'deploy/make-secrets.sh'));
    run();
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('the secrets and accounts are made in a private folder, readable by the containers, and replaced only by name', () => {
    for (const { file: path } of Object.values(compose.secrets)) {
      expect(statSync(join(folder, path)).mode & 0o777).toBe(0o644);
      expect(readFileSync(join(folder, path), 'utf8').length).toBeGreaterThanOrEqual(64);
    }
    expect(statSync(join(folder, 'secrets')).mode & 0o777).toBe(0o700);
    const [kept, replaced] = [secret('internal_credential'), secret('nats_user_password')];
    const { ino } = statSync(join(folder, 'secrets/nats_user_password'));
    run('nats_user_password');
    // The file that containers have mounted.
    expect(statSync(join(folder, 'secrets/nats_user_password')).ino).toBe(ino);
    expect(() => run('../secrets/internal_credential')).toThrow('there is no secret ../secrets');
    expect(() => run('no_such')).toThrow('there is no secret no_such');
    expect(secret('internal_credential')).toBe(kept);
    expect(secret('nats_user_password')).not.toBe(replaced);
    expect(secret('nats_passwords.conf')).toContain(`USER_PASSWORD: "${secret('nats_user_password')}"`);
    expect(new Set(Object.values(compose.secrets).map(({ file: path }) => secret(path.slice(8)))).size).toBe(
      Object.keys(compose.secrets).length,
    );
  });

  it('the passwords of whole servers are made with the others', () => {
    const password = secret('nats_server_password');
    expect(secret('nats_whole_passwords.conf')).toContain(`SERVER_PASSWORD: "${password}"`);
    expect(secret('nats_passwords.conf')).not.toContain('SERVER_PASSWORD');
    expect(secret('mongo_server_password')).not.toBe(password);
  });

  it('the secrets and accounts are those of MongoDB, made at the first start and renewed at the others', () => {
    const mongod = fakeMongod();
    const check = (started: Set<string>) => runHealthCheck(mongod, started, secret);
    const started = new Set<string>();
    expect(check(started)).toBe(1);
    mongod.elect();
    expect(check(started)).toBe(0);
    const users = ACCOUNTS.map((account) => `steward-${account}`);
    expect(new Set(mongod.users.keys())).toEqual(
      new Set(['admin/root', ...users.map((user) => `steward/${user}`)]),
    );
    expect(new Set(mongod.roles.keys())).toEqual(new Set(users.slice(0, -1)));
    expect(mongod.roles.get('steward-user')).toContainEqual({
      resource: { db: 'steward', collection: 'user.accounts' },
      actions: expect.arrayContaining(['find', 'insert', 'update', 'remove']),
    });
    const writes = mongod.writes();
    expect(check(started)).toBe(0);
    expect(mongod.writes()).toBe(writes);
    writeFileSync(join(folder, 'secrets/mongo_room_password'), 'another');
    expect(check(new Set())).toBe(0);
    expect(mongod.users.get('steward/steward-room')).toBe('another');
  });
});

/** What the scripts for MongoDB use of a server. */
interface FakeMongod {
  readonly users: ReadonlyMap<string, string>;
  readonly roles: ReadonlyMap<string, unknown>;
  /** How often users and roles were written. */
  writes(): number;
  /** Makes it the primary of its replica set. */
  elect(): void;
  readonly db: object;
  readonly rs: object;
}

/** A server without data. Rights are refused as by MongoDB to a client on the same machine. */
function fakeMongod(): FakeMongod {
  const users = new Map<string, string>();
  const roles = new Map<string, unknown>();
  let writes = 0;
  let [initiated, primary, loggedIn] = [false, false, false];
  const refuse = (message: string, code: number): never => {
    throw Object.assign(new Error(message), { code });
  };
  const needLogin = () => loggedIn || users.size === 0 || refuse('not authorized', 13);
  const database = (name: string) => ({
    getSiblingDB: (other: string) => database(other),
    hello: () => ({ isWritablePrimary: primary }),
    auth(user: string, password: string) {
      if (users.get(`${name}/${user}`) !== password) refuse('Authentication failed.', 18);
      loggedIn = true;
      return { ok: 1 };
    },
    getUser: (user: string) => (users.has(`${name}/${user}`) ? {} : null),
    getRole: (role: string) => (roles.has(role) ? {} : null),
    createUser({ user, pwd }: { readonly user: string; readonly pwd: string }) {
      needLogin();
      writes++;
      if (users.has(`${name}/${user}`)) refuse('exists', 51_003);
      users.set(`${name}/${user}`, pwd);
    },
    updateUser(user: string, { pwd }: { readonly pwd: string }) {
      needLogin();
      writes++;
      users.set(`${name}/${user}`, pwd);
    },
    createRole({ role, privileges }: { readonly role: string; readonly privileges: unknown }) {
      needLogin();
      writes++;
      if (roles.has(role)) refuse('exists', 51_002);
      roles.set(role, privileges);
    },
    updateRole(role: string, { privileges }: { readonly privileges: unknown }) {
      needLogin();
      writes++;
      roles.set(role, privileges);
    },
  });
  return {
    users,
    roles,
    writes: () => writes,
    elect: () => {
      primary = initiated;
    },
    // Each run of mongosh is a new connection.
    get db() {
      loggedIn = false;
      return database('test');
    },
    rs: {
      initiate() {
        needLogin();
        if (initiated) refuse('already initialized', 23);
        initiated = true;
      },
    },
  };
}

/** Runs the health check as mongosh does; returns its exit code. `files` are those that exist in the container. */
function runHealthCheck(mongod: FakeMongod, files: Set<string>, secret: (name: string) => string): number {
  const ended = new Error('ended');
  let code = 0;
  const readFile = (path: string) =>
    path.startsWith('/run/secrets/')
      ? secret(path.slice('/run/secrets/'.length))
      : readFileSync(join(root, 'deploy/mongo', path.replace('/etc/steward/', '')), 'utf8');
  const scope = {
    db: mongod.db,
    rs: mongod.rs,
    process: { env: compose.services.mongo?.environment },
    require: () => ({
      existsSync: (path: string) => files.has(path),
      readFileSync: readFile,
      writeFileSync: (path: string) => void files.add(path),
    }),
    quit(status: number) {
      code = status;
      throw ended;
    },
    load: (path: string) => runInNewContext(readFile(path), scope),
  };
  try {
    runInNewContext(readFile('/etc/steward/healthcheck.js'), scope);
  } catch (error) {
    if (error !== ended) throw error;
  }
  return code;
}

function nameOf(secret: string | { readonly source: string }): string {
  return typeof secret === 'string' ? secret : secret.source;
}

/** Reads a secret at its path in the container. */
function secretAt(service: Service, path: string): string {
  const [, name = ''] = /^\/run\/secrets\/(\w+)$/.exec(path) ?? [];
  if (!service.secrets?.includes(name)) throw new Error('ENOENT');
  return `the ${name} of a test`;
}
