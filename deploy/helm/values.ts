import { z } from 'zod';

/** Texts are descriptions: a sentence each, without its full stop. */
const text = (description: string, value = '') => z.string().default(value).describe(description);
const flag = (description: string, value = false) => z.boolean().default(value).describe(description);
const count = (description: string, value: number, minimum = 1) =>
  z.int().min(minimum).default(value).describe(description);
const map = (description: string, value: Readonly<Record<string, string>> = {}) =>
  z.record(z.string(), z.string()).default(value).describe(description);

/** Objects of Kubernetes are checked when they are applied; those of our tests by `kubernetes-validate`. */
const object = (description: string) => z.record(z.string(), z.unknown()).default({}).describe(description);
const objects = (description: string) =>
  z.array(z.record(z.string(), z.unknown())).default([]).describe(description);
const section = <Shape extends z.ZodRawShape>(description: string, shape: Shape) => {
  // Every value has a default, which the compiler cannot see of a shape that it does not know.
  const empty = {} as z.input<z.ZodObject<Shape>>;
  return z.strictObject(shape).prefault(empty).describe(description);
};

const quantities = (description: string, value: Readonly<Record<string, string>>) =>
  z
    .record(z.string(), z.union([z.string(), z.number()]))
    .default(value)
    .describe(description);
const resources = section('What a container uses', {
  requests: quantities('What is reserved for it', { cpu: '100m', memory: '256Mi' }),
  limits: quantities('What it may use at most', { cpu: '2', memory: '1Gi' }),
});

const persistence = (size: string) =>
  section('The volume', {
    size: text('Its size; it cannot be changed here later', size),
    storageClassName: text('Its storage class; that of the cluster when empty'),
  });

/** What can be said of the instances of one process. */
const pods = {
  replicas: count('How many instances run, unless `autoscaling` decides; 0 for a restore', 2, 0),
  resources,
  autoscaling: section('Instances by load', {
    enabled: flag('Whether a HorizontalPodAutoscaler sets the number of instances'),
    minReplicas: count('The smallest number of instances', 2),
    maxReplicas: count('The largest number of instances', 6),
    cpuPercent: count('The use of the requested processor time to aim at; 0 to leave it out', 70, 0),
    perSecond: count(
      'The requests of a gateway, or calls of a service, per second and instance to aim at, from custom metrics; 0 to leave it out',
      0,
      0,
    ),
  }),
  podDisruptionBudget: section('Protection from voluntary disruptions, such as the drain of a node', {
    enabled: flag('Whether there is a PodDisruptionBudget', true),
    maxUnavailable: z
      .union([z.int().min(1), z.string().regex(/^[0-9]+%$/)])
      .default(1)
      .describe('How many instances may be missing at once'),
  }),
  podLabels: map('Further labels of the pods'),
  podAnnotations: map('Further annotations of the pods'),
  priorityClassName: text('The priority class of the pods'),
  nodeSelector: map('The labels of the nodes on which the pods may run'),
  tolerations: objects('The taints of nodes that the pods tolerate'),
  affinity: object('Which nodes and which other pods the pods prefer or avoid'),
  topologySpreadConstraints: objects(
    'How the instances are spread; over nodes and zones where possible when empty. A constraint without `labelSelector` is about the instances of the process',
  ),
};

const overrides = z.strictObject(pods).partial();
const component = (process: string) =>
  overrides.default({}).describe(`What differs from \`defaults\` for ${process}`);

const keys = (engine: string) => ({
  name: text(`A Secret with what the server needs to log in to ${engine}`),
  passwordKey: text('The key of the password of `user`'),
  caKey: text('The key of the certificates of the authorities, in PEM'),
  certificateKey: text('The key of the certificate of the client, in PEM'),
  keyKey: text('The key of its private key, in PEM'),
});

/** Passwords belong into a Secret: the URL is in a ConfigMap. */
const engineUrl = (description: string, scheme: string) =>
  z
    .string()
    .regex(new RegExp(`^$|^(${scheme})://[^/@,]+[^@]*$`))
    .default('')
    .describe(`${description}, without user and password`);

/** The values of the chart. `values.yaml`, `values.schema.json` and `VALUES.md` are generated from this schema. */
export const values = z.strictObject({
  mode: z
    .enum(['servers', 'services', 'one-process'])
    .default('servers')
    .describe(
      '`servers`: any number of identical processes, each of which serves everything, on MongoDB and NATS; `services`: gateway, user, room, media and moderation apart, each with its own number of instances; `one-process`: a single process on the embedded store, for small servers',
    ),
  nameOverride: text('The value of the label `app.kubernetes.io/name`, in place of `steward`'),
  fullnameOverride: text('What the names of all objects begin with, in place of the name of the release'),
  commonLabels: map('Further labels of all objects'),
  commonAnnotations: map('Further annotations of all objects'),
  image: section('The image of steward', {
    repository: text('Its name, with the registry', 'steward'),
    tag: text("Its tag; the version of the chart's application when empty"),
    digest: z
      .string()
      .regex(/^$|^sha256:[0-9a-f]{64}$/)
      .default('')
      .describe('Its digest, which has precedence over the tag'),
    pullPolicy: z
      .enum(['Always', 'IfNotPresent', 'Never'])
      .default('IfNotPresent')
      .describe('When it is pulled'),
  }),
  imagePullSecrets: z
    .array(z.strictObject({ name: z.string().min(1) }))
    .default([])
    .describe('Secrets for the registries of all images'),
  settings: z
    .record(z.string(), z.unknown())
    .default({})
    .describe(
      'The settings of steward, with the keys of docs/config.md. `settings.server.name` is required, and cannot be changed later. What the chart sets itself is not among them: ports, the addresses of services and engines, and secrets',
    ),
  secrets: section('The secrets of steward', {
    existingSecret: text(
      'A Secret with the keys `internal_credential` (at least 16 characters; with `mode: services`) and `registration_shared_secret`. When empty, the chart generates one and keeps it',
    ),
  }),
  audit: section('The key that signs checkpoints of the audit log', {
    existingSecret: text(
      'A Secret whose key `signing_key` is a private Ed25519 key (PEM, PKCS #8). When empty, checkpoints are not signed; in one process, the server generates a key in its data directory',
    ),
  }),
  services: section('The connections between the processes and from other programs, with `mode: services`', {
    tls: section('TLS, on which both ends show a certificate', {
      secretName: text(
        'A Secret with the keys `ca.crt`, `tls.crt` and `tls.key`, as cert-manager makes it: a certificate for the names of the four services, such as `steward-user`. None when empty',
      ),
    }),
    clients: z
      .array(
        z.strictObject({
          name: z.string().min(1),
          scopes: z.array(z.string()).min(1),
          secretName: z.string().min(1),
          keys: z.array(z.string().min(1)).min(1).max(2),
        }),
      )
      .default([])
      .describe(
        'The programs that may call the services over gRPC: the name and the scopes of each, a Secret, and one or two of its keys, whose values are credentials',
      ),
  }),
  mongodb: section('The database, unless `mode: one-process`', {
    bundled: flag(
      'Whether the chart runs a single instance, for trials. Otherwise `url` names a server',
      true,
    ),
    url: engineUrl('The URL of a replica set or cluster', 'mongodb(\\+srv)?'),
    user: text('The user; none when empty'),
    secret: section('Files for the connection; a key that is empty is not used', keys('MongoDB')),
    image: text(
      'The image of the bundled one',
      'mongo:8.3.11@sha256:d731d77bfd7afd66bd487bdf627b5bf7ce4c3602ec461d635977021db529ebbc',
    ),
    resources,
    persistence: persistence('10Gi'),
  }),
  nats: section('The broker, unless `mode: one-process`', {
    bundled: flag(
      'Whether the chart runs a single instance, for trials. Otherwise `url` names a server',
      true,
    ),
    url: engineUrl('The URL of the servers, several with commas between them', 'nats|tls'),
    user: text('The user; none when empty'),
    secret: section('Files for the connection; a key that is empty is not used', {
      ...keys('NATS'),
      credentialsKey: text('The key of a `.creds` file, in place of user and password'),
      nkeyKey: text('The key of the seed of an nkey, in place of user and password'),
    }),
    image: text(
      'The image of the bundled one',
      'nats:2.15.0-alpine@sha256:ac8f88a6494bffc2c2a5289a0ca61cb28a9145c11ba5677cf24265d07f46d8d4',
    ),
    resources,
    persistence: persistence('2Gi'),
  }),
  s3: section('Access to the bucket, with `settings.media.store: s3`', {
    existingSecret: text(
      'A Secret whose key `credentials` is a credentials file of the AWS tools. When empty, the role of the service account or of the node is used',
    ),
  }),
  traces: section('Access to the collector, with `settings.telemetry.traces.endpoint`', {
    existingSecret: text('A Secret whose key `headers` has the headers of requests to it; none when empty'),
  }),
  persistence: persistence('20Gi').describe('The volume of the data directory, with `mode: one-process`'),
  backup: section('A backup at times, by a CronJob', {
    enabled: flag('Whether there is one'),
    schedule: text('When, in UTC', '17 2 * * *'),
    existingClaim: text('A claim for the backups; the chart makes one, and keeps it, when empty'),
    persistence: persistence('50Gi'),
    resources,
  }),
  serviceAccount: section('The account of the pods. They get no token of it', {
    create: flag('Whether the chart creates it', true),
    name: text('Its name; that of the release, or `default`, when empty'),
    annotations: map('Its annotations, for example the role for S3'),
  }),
  defaults: z
    .strictObject(pods)
    .prefault({})
    .describe('The instances of each process; `server`, `gateway` and so on change single values'),
  server: component('the servers, with `mode: servers`'),
  gateway: component('the gateway'),
  user: component('the user service'),
  room: component('the room service'),
  media: component('the media service'),
  moderation: component('the moderation service'),
  allInOne: component('the one process, of which there is one instance'),
  service: section('The Service for clients', {
    type: z.enum(['ClusterIP', 'NodePort', 'LoadBalancer']).default('ClusterIP').describe('Its type'),
    port: count('Its port', 80),
    annotations: map('Its annotations'),
    loadBalancerSourceRanges: z
      .array(z.string())
      .default([])
      .describe('The addresses that a load balancer admits; all when empty'),
  }),
  ingress: section('An Ingress', {
    enabled: flag('Whether there is one'),
    className: text('Its class; that of the cluster when empty'),
    annotations: map('Its annotations; the README names those for uploads and long polls'),
    hosts: z.array(z.string().min(1)).default([]).describe('The names of the server'),
    paths: z
      .array(z.string().regex(/^\//))
      .default(['/'])
      .describe('What is public; without `/_service/admin` the admin API is not'),
    tls: section('TLS', {
      enabled: flag('Whether the Ingress terminates TLS'),
      secretName: text('The Secret with the certificate; that of the controller when empty'),
    }),
  }),
  httpRoute: section('An HTTPRoute of the Gateway API', {
    enabled: flag('Whether there is one'),
    annotations: map('Its annotations'),
    parentRefs: objects('The Gateways that it is for'),
    hostnames: z.array(z.string().min(1)).default([]).describe('The names of the server'),
    paths: z
      .array(z.string().regex(/^\//))
      .default(['/'])
      .describe('What is public; without `/_service/admin` the admin API is not'),
    timeouts: map('Time limits of the rule, for example `request`; those of the Gateway when empty'),
  }),
  networkPolicy: section('Who may connect to whom', {
    enabled: flag('Whether there are NetworkPolicies'),
    ingressFrom: objects(
      'Who may connect to the servers or the gateway, as peers of a NetworkPolicy; all when empty',
    ),
    monitoringFrom: objects('Who may read metrics; all namespaces when empty'),
    clientsFrom: objects('Who may call the services over gRPC, as peers of a NetworkPolicy; none when empty'),
    servicesTo: objects(
      'Where what uses the engines may connect to besides, as egress rules: engines outside of the chart',
    ),
    mediaTo: objects('Where the media service, or the servers, may connect to besides: S3'),
    webhooksTo: objects(
      'Where the moderation service, or the servers, may connect to besides, to send webhooks, as egress rules; without them no webhook arrives',
    ),
    pushesTo: objects(
      'Where the room service, or the servers, may connect to besides, to send pushes to gateways, as egress rules; without them no push arrives',
    ),
    providersTo: objects(
      'Where the user service, or the servers, may connect to besides, to identity providers, as egress rules; without them no user can sign in with one',
    ),
    allTo: objects('Where all processes may connect to besides, for example a collector of traces'),
  }),
  monitoring: section('Prometheus and Grafana, by their operators', {
    serviceMonitor: section('A ServiceMonitor for all processes', {
      enabled: flag('Whether there is one'),
      interval: text('How often metrics are read', '30s'),
      labels: map('Its labels, by which Prometheus selects it'),
    }),
    prometheusRule: section('A PrometheusRule with the alerts of deploy/observability', {
      enabled: flag('Whether there is one'),
      labels: map('Its labels, by which Prometheus selects it'),
    }),
    dashboards: section('The dashboards of deploy/observability, as ConfigMaps', {
      enabled: flag('Whether there are any'),
      labels: map('Their labels, by which Grafana finds them', { grafana_dashboard: '1' }),
    }),
  }),
});
