import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { loadConfig } from '@steward/config';
import { requireTool } from '@steward/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse, parseAllDocuments, stringify } from 'yaml';
import { COMMANDS } from '../commands.ts';
import { CUSTOM_KINDS } from './custom-kinds.ts';

const exec = promisify(execFile);
const chart = fileURLToPath(new URL('steward', import.meta.url));
const cases = readdirSync(join(chart, 'ci')).toSorted();
const helm = requireTool('helm');
const validator = requireTool('kubernetes_validate');

/** The oldest Kubernetes that the chart admits, and the newest that `kubernetes-validate` knows. */
const OLDEST = '1.30';
const NEWEST = '1.37';

/** How long a process may drain, in seconds: DRAIN_TIMEOUT_MS of packages/runtime. */
const DRAIN_S = 20;

/** How long the validation of all objects may take, in milliseconds: 2 s of processor time, of which a busy machine gives little. */
const VALIDATION_TIMEOUT_MS = 600_000;

const SERVICES = ['user', 'room', 'media', 'moderation'];

/** The settings that the image has in its environment. */
const IMAGE_ENVIRONMENT = Object.fromEntries(
  [
    ...readFileSync(new URL('../Dockerfile', import.meta.url), 'utf8').matchAll(/(STEWARD_\w+)=([^\s\\]+)/g),
  ].map(([, name = '', value = '']) => [name, value]),
);

interface Selector {
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly matchExpressions?: readonly { readonly key: string; readonly values: readonly string[] }[];
}

interface Peer {
  readonly podSelector?: Selector;
  readonly namespaceSelector?: object;
  readonly ipBlock?: object;
}

interface Container {
  readonly name: string;
  readonly image: string;
  readonly args?: readonly string[];
  readonly env?: readonly { readonly name: string; readonly value?: string }[];
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[];
  readonly volumeMounts?: readonly { readonly name: string; readonly mountPath: string }[];
  readonly startupProbe?: object;
  readonly lifecycle?: { readonly preStop: { readonly sleep: { readonly seconds: number } } };
}

interface SecretItems {
  readonly name?: string;
  readonly secretName?: string;
  readonly items: readonly { readonly key: string; readonly path: string }[];
}

interface PodSpec {
  readonly containers: readonly Container[];
  readonly initContainers?: readonly Container[];
  readonly terminationGracePeriodSeconds?: number;
  readonly volumes?: readonly {
    readonly name: string;
    readonly configMap?: { readonly name: string };
    readonly secret?: SecretItems;
    readonly projected?: { readonly sources: readonly { readonly secret: SecretItems }[] };
  }[];
}

interface Resource {
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly labels: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly data?: Readonly<Record<string, string>>;
  // biome-ignore lint/suspicious/noExplicitAny: the shapes of all kinds; kubernetes-validate checks them.
  readonly spec?: any;
}

interface Pod {
  readonly name: string;
  readonly component: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly spec: PodSpec;
}

describe.skipIf(helm.command === undefined)(helm.title, () => {
  const scratch = mkdtempSync(join(tmpdir(), 'steward-helm-'));
  const rendered = new Map<string, readonly Resource[]>();
  afterAll(() => rmSync(scratch, { recursive: true }));

  /** Runs helm, in a home of its own. */
  async function run(args: readonly string[]): Promise<string> {
    const env = { PATH: process.env.PATH, HOME: scratch };
    const { stdout } = await exec(helm.command ?? '', [...args], { env, maxBuffer: 64 * 1024 * 1024 });
    return stdout;
  }

  async function render(...args: readonly string[]): Promise<readonly Resource[]> {
    const text = await run(['template', 'steward', chart, '--kube-version', OLDEST, ...args]);
    return parseAllDocuments(text).flatMap((document) => (document.toJS() as Resource | null) ?? []);
  }

  /** The error of helm for values, given as if in a file. */
  async function refusal(values: object): Promise<string> {
    const file = join(scratch, 'refused.yaml');
    writeFileSync(file, stringify({ settings: { server: { name: 'example.org' } }, ...values }));
    const { stderr } = await render('--values', file).then(
      () => ({ stderr: 'accepted' }),
      (error: { stderr: string }) => error,
    );
    return stderr;
  }

  beforeAll(async () => {
    for (const file of cases) rendered.set(file, await render('--values', join(chart, 'ci', file)));
  });
  const resourcesOf = (file: string) => rendered.get(file) ?? [];

  it('has at least eight examples of values, and no finding of the linter for any', async () => {
    expect(cases.length).toBeGreaterThanOrEqual(8);
    for (const file of cases)
      await run(['lint', '--strict', '--quiet', chart, '--values', join(chart, 'ci', file)]);
  });

  it.skipIf(validator.command === undefined).each([OLDEST, NEWEST])(
    `conforms to the API of Kubernetes %s (${validator.title})`,
    async (version) => {
      // Most objects are those of other cases, too.
      const seen = new Set<string>();
      const files = cases.map((name) => {
        const standard = resourcesOf(name).filter(({ kind }) => !(kind in CUSTOM_KINDS));
        const texts = new Set(standard.map((resource) => JSON.stringify(resource))).difference(seen);
        for (const text of texts) seen.add(text);
        const file = join(scratch, `${version}-${name}`);
        writeFileSync(file, [...texts].map((text) => `---\n${text}\n`).join(''));
        return file;
      });
      const args = ['--strict', '--quiet', '--kubernetes-version', version, ...files];
      // What has no schema is a warning.
      expect((await exec(validator.command ?? '', args)).stdout).toBe('');
    },
    VALIDATION_TIMEOUT_MS,
  );

  it('conforms to the definitions of the kinds that Kubernetes does not have itself', () => {
    const custom = [...rendered.values()].flat().filter(({ kind }) => kind in CUSTOM_KINDS);
    expect(new Set(custom.map(({ kind }) => kind))).toEqual(new Set(Object.keys(CUSTOM_KINDS)));
    for (const resource of custom) CUSTOM_KINDS[resource.kind]?.parse(resource);
  });

  it.each([
    [{ gatewy: {} }, "'gatewy' not allowed"],
    [{ user: { replica: 3 } }, "'replica' not allowed"],
    [{ defaults: { autoscaling: { maxReplica: 3 } } }, "'maxReplica' not allowed"],
    [{ settings: { server: { nmae: 'example.org' } } }, "'nmae' not allowed"],
    [
      { settings: { server: { name: 'example.org' }, notices: { enabled: 'perhaps' } } },
      '/settings/notices/enabled',
    ],
    [{ settings: { registration: { shared_secret: 'x' } } }, "'shared_secret' not allowed"],
    [{ settings: { services: { user_urls: [] } } }, "'services' not allowed"],
    [{ mongodb: { bundled: false, url: 'mongodb://steward:secret@db/steward' } }, '/mongodb/url'],
    [{ mongodb: { bundled: false } }, 'mongodb.url is required'],
    [{ settings: {} }, 'settings.server.name is required'],
    [
      { settings: { server: { name: 'example.org' }, media: { store: 'file' } } },
      'file needs mode: one-process',
    ],
    [{ ingress: { enabled: true } }, 'ingress.hosts is empty'],
    [{ mode: 'services', user: { autoscaling: { enabled: true, cpuPercent: 0 } } }, 'user.autoscaling needs'],
    [{ server: { autoscaling: { enabled: true, cpuPercent: 0 } } }, 'server.autoscaling needs'],
  ])('refuses %j', async (values, message) => {
    expect(await refusal(values)).toContain(message);
  });

  describe.each(cases)('%s', (file) => {
    it('confines every container, and limits what it uses', () => {
      for (const { spec } of podsOf(resourcesOf(file))) {
        expect(spec).toMatchObject({
          automountServiceAccountToken: false,
          enableServiceLinks: false,
          securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
        });
        for (const container of [...(spec.initContainers ?? []), ...spec.containers]) {
          expect(container).toMatchObject({
            securityContext: {
              allowPrivilegeEscalation: false,
              readOnlyRootFilesystem: true,
              capabilities: { drop: ['ALL'] },
            },
            resources: {
              requests: { cpu: expect.anything(), memory: expect.anything() },
              limits: { cpu: expect.anything(), memory: expect.anything() },
            },
          });
        }
      }
    });

    it('checks the start, the readiness and the life of every process', () => {
      for (const { spec } of runningPods(resourcesOf(file)))
        for (const container of spec.containers)
          expect(container).toMatchObject({
            startupProbe: expect.anything(),
            readinessProbe: expect.anything(),
            livenessProbe: expect.anything(),
          });
    });

    it('has secrets in files only', () => {
      const resources = resourcesOf(file);
      const secrets = resources
        .filter(({ kind }) => kind === 'Secret')
        .flatMap(({ data }) => Object.values(data ?? {}))
        .map((value) => Buffer.from(value, 'base64').toString());
      const rest = JSON.stringify(resources.filter(({ kind }) => kind !== 'Secret'));
      for (const secret of secrets) expect(rest).not.toContain(secret);
      expect(rest).not.toContain('secretKeyRef');
      expect(rest).not.toContain('envFrom');
    });

    it('runs processes of the image with settings that load without a warning', () => {
      const resources = resourcesOf(file);
      const own = runningPods(resources).filter(({ spec }) => spec.containers[0]?.name === 'steward');
      const components = own.map(({ component }) => component).toSorted();
      expect([['all-in-one'], ['server'], ['gateway', ...SERVICES].toSorted()]).toContainEqual(components);
      for (const { component, spec } of own) {
        const [container] = spec.containers;
        if (!container) throw new Error('A pod without a container');
        const command = ['all-in-one', 'server'].includes(component) ? 'serve' : component;
        expect(container.args).toEqual([command]);
        expect(COMMANDS).toHaveProperty(command);
        const config = settingsIn(resources, spec);
        const ports = Object.fromEntries(
          (container.ports ?? []).map((port) => [port.name, port.containerPort]),
        );
        expect(ports).toMatchObject({ metrics: config.telemetry.metrics_port });
        expect(Object.values(ports)).toContain(config.server.port);
        const { user_urls, room_urls, media_urls, moderation_urls } = config.services;
        for (const url of [...user_urls, ...room_urls, ...media_urls, ...moderation_urls]) {
          const { hostname, port } = new URL(url);
          const service = resources.find(
            ({ kind, metadata }) => kind === 'Service' && metadata.name === hostname,
          );
          expect(service?.spec).toMatchObject({ clusterIP: 'None' });
          expect(service?.spec.ports).toContainEqual(expect.objectContaining({ port: Number(port) }));
        }
        expect(component === 'gateway' || component === 'all-in-one').toBe(config.store.url === 'sqlite');
      }
    });

    it('gives every process the time to drain, after a pause', () => {
      const own = runningPods(resourcesOf(file)).filter(({ spec }) => spec.containers[0]?.name === 'steward');
      for (const { spec } of own) {
        const pause = spec.containers[0]?.lifecycle?.preStop.sleep.seconds ?? 0;
        expect(pause).toBeGreaterThan(0);
        expect(spec.terminationGracePeriodSeconds).toBeGreaterThan(pause + DRAIN_S);
      }
      for (const { kind, spec } of resourcesOf(file))
        if (kind === 'Deployment') expect(spec.strategy.rollingUpdate.maxUnavailable).toBe(0);
    });

    it('selects with each object the pods of one component, by ports that they have', () => {
      const resources = resourcesOf(file);
      const pods = runningPods(resources);
      const selectors = resources.flatMap(({ kind, spec }): readonly Selector[] => {
        if (kind === 'Service') return [{ matchLabels: spec.selector }];
        if (['Deployment', 'StatefulSet', 'PodDisruptionBudget'].includes(kind)) return [spec.selector];
        return kind === 'NetworkPolicy' ? [spec.podSelector] : [];
      });
      for (const selector of selectors) {
        expect(pods.filter(({ labels }) => matches(selector, labels))).toHaveLength(1);
      }
      for (const { kind, spec } of resources) {
        if (kind !== 'Service') continue;
        const [pod] = pods.filter(({ labels }) => matches({ matchLabels: spec.selector }, labels));
        const names = pod?.spec.containers.flatMap(({ ports = [] }) => ports.map(({ name }) => name));
        for (const { targetPort } of spec.ports) expect(names).toContain(targetPort);
      }
      const deployments = resources.filter(({ kind }) => kind === 'Deployment');
      for (const { kind, spec } of resources) {
        if (kind !== 'HorizontalPodAutoscaler') continue;
        const [scaled] = deployments.filter(({ metadata }) => metadata.name === spec.scaleTargetRef.name);
        // A number here would undo the decisions of the autoscaler with each upgrade.
        expect(scaled?.spec).not.toHaveProperty('replicas');
      }
    });
  });

  it('makes backups with the settings and the data of the processes', () => {
    const backups = cases.flatMap((file) =>
      podsOf(resourcesOf(file))
        .filter(({ component }) => component === 'backup')
        .map(({ spec }) => ({ resources: resourcesOf(file), spec })),
    );
    expect(backups.length).toBeGreaterThan(1);
    for (const { resources, spec } of backups) {
      const [container] = spec.containers;
      expect(COMMANDS).toHaveProperty(container?.args?.[0] ?? '');
      const { store, server } = settingsIn(resources, spec);
      const mounts = (container?.volumeMounts ?? []).map(({ mountPath }) => mountPath);
      expect(mounts).toContain(container?.args?.[2]);
      expect(mounts.includes('/data')).toBe(store.url === 'sqlite');
      expect(server.data.startsWith('/data/')).toBe(true);
    }
  });

  it('takes single values of a process over the defaults, also those that switch something off', () => {
    const resources = resourcesOf('high-availability-values.yaml');
    const named = (kind: string) =>
      resources.filter((resource) => resource.kind === kind).map(({ metadata }) => metadata.name);
    const all = ['gateway', ...SERVICES].map((name) => `steward-${name}`);
    const others = all.filter((name) => name !== 'steward-moderation');
    expect(named('Deployment').toSorted()).toEqual(all.toSorted());
    expect(named('HorizontalPodAutoscaler').toSorted()).toEqual(others.toSorted());
    expect(named('PodDisruptionBudget').toSorted()).toEqual(others.toSorted());
    const user = resources.find(
      ({ kind, metadata }) => kind === 'Deployment' && metadata.name === 'steward-user',
    );
    expect(user?.spec.template.spec.containers[0].resources).toEqual({
      requests: { cpu: '100m', memory: '256Mi' },
      limits: { cpu: '4', memory: '2Gi' },
    });
  });

  it.each([
    ['webhooks', 'moderation', '203.0.113.0/24'],
    ['pushes', 'room', '198.51.100.0/24'],
  ])('admits the connections of %s to the %s service alone', (_, service, range) => {
    const admitted = resourcesOf('locked-down-values.yaml').filter(
      ({ kind, spec }) => kind === 'NetworkPolicy' && JSON.stringify(spec.egress).includes(range),
    );
    expect(admitted.map(({ metadata }) => metadata.name)).toEqual([`steward-${service}`]);
  });

  it('admits no connection that whole servers do not need', async () => {
    const resources = await render(
      ...['--values', join(chart, 'ci/monitoring-values.yaml'), '--set', 'mode=servers'],
    );
    expect(openConnections(resources)).toEqual(
      [
        'stranger > server:8008',
        'stranger > server:8009',
        'server > server:8008',
        'server > mongodb:27017',
        'server > nats:4222',
        'mongodb > mongodb:27017',
        'nats > nats:4222',
      ].toSorted(),
    );
  });

  it('admits no connection that the processes do not need', () => {
    const resources = resourcesOf('monitoring-values.yaml');
    const expected = [
      // The gateway is public here; metrics are for any pod of the cluster that may connect to anywhere.
      ...['gateway', ...SERVICES, 'mongodb', 'nats'].map((to) => ['stranger', to]),
    ].flatMap(([from, to]) =>
      SERVICES.includes(to ?? '') || to === 'gateway' ? [`${from} > ${to}:8009`] : [],
    );
    const processes = ['gateway', ...SERVICES];
    expect(openConnections(resources)).toEqual(
      [
        ...expected,
        'stranger > gateway:8008',
        ...processes.flatMap((from) => processes.map((to) => `${from} > ${to}:8008`)),
        ...SERVICES.flatMap((from) => [`${from} > mongodb:27017`, `${from} > nats:4222`]),
        'mongodb > mongodb:27017',
        'nats > nats:4222',
      ].toSorted(),
    );
  });

  it('has the alerts and the dashboards of deploy/observability', () => {
    const resources = resourcesOf('monitoring-values.yaml');
    const folder = fileURLToPath(new URL('../observability', import.meta.url));
    const rule = resources.find(({ kind }) => kind === 'PrometheusRule');
    expect(rule?.spec).toEqual(parse(readFileSync(join(folder, 'alerts.yml'), 'utf8')));
    for (const file of readdirSync(join(folder, 'dashboards'))) {
      const texts = resources.flatMap(({ kind, data }) => (kind === 'ConfigMap' && data?.[file]) || []);
      expect(texts.map((text) => JSON.parse(text))).toEqual([
        JSON.parse(readFileSync(join(folder, 'dashboards', file), 'utf8')),
      ]);
    }
  });

  it('keeps the generated secrets of an installation, and makes others for another one', async () => {
    const values = ['--values', join(chart, 'ci/bundled-values.yaml')];
    const [first] = (await render(...values)).filter(({ kind }) => kind === 'Secret');
    const [second] = (await render(...values)).filter(({ kind }) => kind === 'Secret');
    if (!first?.data || !second?.data) throw new Error('No secret was generated');
    expect(Object.keys(second.data)).toEqual(Object.keys(first.data));
    for (const [key, value] of Object.entries(first.data)) expect(second.data[key]).not.toBe(value);
    const api = await serveSecret(first);
    try {
      const kubeconfig = join(scratch, 'kubeconfig');
      writeFileSync(kubeconfig, stringify(kubeconfigOf(api.url)));
      const upgraded = await render(
        ...values,
        '--is-upgrade',
        '--dry-run=server',
        '--kubeconfig',
        kubeconfig,
      );
      expect(upgraded.find(({ kind }) => kind === 'Secret')?.data).toEqual(first.data);
    } finally {
      await api.close();
    }
  });
});

/** The pods that templates, jobs and hooks describe. */
function podsOf(resources: readonly Resource[]): readonly Pod[] {
  return resources.flatMap(({ kind, metadata, spec }) => {
    const template =
      kind === 'Pod'
        ? { metadata, spec }
        : (spec?.jobTemplate?.spec.template ?? (kind === 'ServiceMonitor' ? undefined : spec?.template));
    if (template === undefined) return [];
    const { labels } = template.metadata;
    const component = labels['app.kubernetes.io/component'];
    return [{ name: metadata.name, component, labels, spec: template.spec }];
  });
}

/** Those that run all the time. */
function runningPods(resources: readonly Resource[]): readonly Pod[] {
  return podsOf(resources).filter(({ component }) => !['test', 'backup'].includes(component));
}

/** The settings of a container, as its process loads them, and its variables. */
function settingsIn(resources: readonly Resource[], spec: PodSpec) {
  const variables = spec.containers[0]?.env ?? [];
  const env = Object.fromEntries(variables.map(({ name, value }) => [name, value]));
  const { warnings, ...config } = loadConfig({
    env: { ...IMAGE_ENVIRONMENT, ...env },
    readFile: (path) => fileAt(resources, spec, path),
  });
  expect(warnings).toEqual([]);
  expect(config.server.name).toBe('example.org');
  // What is read at the first use has been mounted, too.
  for (const path of filesNamedIn({ config, env })) fileAt(resources, spec, path);
  return config;
}

function matches(selector: Selector, labels: Readonly<Record<string, string>>): boolean {
  const { matchLabels = {}, matchExpressions = [] } = selector;
  return (
    Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
    matchExpressions.every(({ key, values }) => values.includes(labels[key] ?? ''))
  );
}

/** The connections that the policies of a release admit between its pods, and from another pod of its namespace. */
function openConnections(resources: readonly Resource[]): readonly string[] {
  const pods = runningPods(resources);
  const stranger = { component: 'stranger', labels: { app: 'stranger' } };
  const open = [...pods, stranger].flatMap((from) =>
    pods.flatMap((to) =>
      to.spec.containers
        .flatMap(({ ports = [] }) => ports)
        .filter((port) => connects(resources, from, to, port))
        .map((port) => `${from.component} > ${to.component}:${port.containerPort}`),
    ),
  );
  return open.toSorted();
}

/** Whether the policies of a release admit a connection between two pods of its namespace. */
function connects(
  resources: readonly Resource[],
  from: Pick<Pod, 'labels'>,
  to: Pick<Pod, 'labels'>,
  port: { readonly name: string; readonly containerPort: number },
): boolean {
  const admits = (
    direction: 'ingress' | 'egress',
    { labels }: Pick<Pod, 'labels'>,
    other: Pick<Pod, 'labels'>,
  ) => {
    const policies = resources.filter(
      ({ kind, spec }) => kind === 'NetworkPolicy' && matches(spec.podSelector, labels),
    );
    const rules: readonly {
      readonly ports: readonly { readonly port: number | string }[];
      readonly from?: readonly Peer[];
      readonly to?: readonly Peer[];
    }[] = policies.flatMap(({ spec }) => spec[direction]);
    return (
      policies.length === 0 ||
      rules.some((rule) => {
        const peers = direction === 'ingress' ? rule.from : rule.to;
        return (
          rule.ports.some((open) => open.port === port.name || open.port === port.containerPort) &&
          (peers === undefined ||
            peers.some(({ podSelector, namespaceSelector }) =>
              podSelector ? matches(podSelector, other.labels) : namespaceSelector !== undefined,
            ))
        );
      })
    );
  };
  return admits('egress', from, to) && admits('ingress', to, from);
}

/** The content of a file as a container sees it: from a ConfigMap, or a stand-in for the key of a Secret, in the form of headers. */
function fileAt(resources: readonly Resource[], spec: PodSpec, path: string): string {
  const [container] = spec.containers;
  for (const { name, mountPath } of container?.volumeMounts ?? []) {
    if (!path.startsWith(`${mountPath}/`)) continue;
    const file = path.slice(mountPath.length + 1);
    const volume = spec.volumes?.find((candidate) => candidate.name === name);
    const config = resources.find(
      ({ kind, metadata }) => kind === 'ConfigMap' && metadata.name === volume?.configMap?.name,
    );
    if (config?.data?.[file] !== undefined) return config.data[file];
    for (const { secret } of volume?.projected?.sources ?? []) {
      const item = secret.items.find((candidate) => candidate.path === file);
      const generated = resources.find(
        ({ kind, metadata }) => kind === 'Secret' && metadata.name === secret.name,
      );
      if (item && (!generated || item.key in (generated.data ?? {})))
        return `Stand-in: the ${item.key} of a test`;
    }
  }
  throw new Error(`${path} is not mounted`);
}

/** The files of secrets that settings and variables name. */
function filesNamedIn(values: object): readonly string[] {
  return [...JSON.stringify(values).matchAll(/"(\/run\/[^"]+)"/g)].map(([, path = '']) => path);
}

/** The API of a cluster that has one secret, as far as helm asks for it. */
async function serveSecret(secret: Resource) {
  const answers: Readonly<Record<string, object>> = {
    '/version': { major: '1', minor: '30', gitVersion: 'v1.30.0' },
    '/api': { kind: 'APIVersions', versions: ['v1'] },
    '/apis': { kind: 'APIGroupList', apiVersion: 'v1', groups: [] },
    '/api/v1': {
      kind: 'APIResourceList',
      groupVersion: 'v1',
      resources: [
        { name: 'secrets', singularName: 'secret', namespaced: true, kind: 'Secret', verbs: ['get'] },
      ],
    },
    [`/api/v1/namespaces/default/secrets/${secret.metadata.name}`]: secret,
  };
  const server = createServer(({ url = '' }, response) => {
    const answer = answers[url.split('?')[0] ?? ''];
    response.writeHead(answer ? 200 : 404, { 'content-type': 'application/json' });
    response.end(
      JSON.stringify(answer ?? { kind: 'Status', apiVersion: 'v1', status: 'Failure', code: 404 }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

function kubeconfigOf(server: string): object {
  return {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'test', cluster: { server } }],
    users: [{ name: 'test', user: {} }],
    contexts: [{ name: 'test', context: { cluster: 'test', user: 'test', namespace: 'default' } }],
    'current-context': 'test',
  };
}
