// Writes the documents that are generated from schemas and descriptors, into the directory named by the argument.
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chartFiles } from '../deploy/helm/chart-files.ts';
import { observabilityFiles } from '../deploy/observability/source/files.ts';
import { services } from '../gateway/src/mod.ts';
import manifest from '../package.json' with { type: 'json' };
import { auditedMethod } from '../packages/audit/src/mod.ts';
import { configReference } from '../packages/config/src/mod.ts';
import { eventMessage, eventTypes } from '../packages/feed/src/mod.ts';
import {
  accessReference,
  asyncApi,
  eventsReference,
  grpcReference,
  openApi,
  readComments,
} from '../packages/http/src/mod.ts';
import { metricsReference } from '../packages/telemetry/src/mod.ts';
import { importReference, storedDataReference } from '../services/all-in-one/src/mod.ts';
import { BUILT_IN_ROLES } from '../services/user/src/mod.ts';

/** The ways on which events reach programs. */
const CHANNELS = [
  {
    name: 'stream',
    address: '/_service/admin/v1/events',
    title: 'The feed over HTTP',
    description:
      'The list of events, and with `Accept: text/event-stream` the stream of those that follow, as server-sent events. A caller receives the events of types whose scope it has.',
  },
  {
    name: 'broker',
    address: 'steward.public.v1.{type}',
    title: 'The feed on NATS',
    description:
      'Subjects of a stream of NATS JetStream, for programs inside. `Nats-Msg-Id` is the id of the event.',
  },
  {
    name: 'webhooks',
    address: null,
    title: 'The feed to webhooks',
    description: 'Requests to the URLs that administrators register, signed after Standard Webhooks 1.0.',
  },
] as const;

/** The longest description of the protos, in bytes. */
const DESCRIPTION_LIMIT_BYTES = 16 * 1024 * 1024;

const [target = '.'] = process.argv.slice(2);
const descriptors = execFileSync(
  'buf',
  ['build', '--path', 'proto/steward', '--as-file-descriptor-set', '-o', '-'],
  {
    maxBuffer: DESCRIPTION_LIMIT_BYTES,
  },
);
const comments = readComments(descriptors);
const info = { title: manifest.name, version: manifest.version, description: manifest.description };

const types = [...eventTypes.values()];
const events = {
  message: eventMessage,
  discriminator: 'type',
  content: 'data',
  types: types.map(({ type, payload }) => ({ value: type, payload })),
};
// Throws when a method makes events that are unknown, or have fields that nothing fills.
for (const service of services) service.methods.forEach(auditedMethod);

mkdirSync(join(target, 'docs'), { recursive: true });
writeFileSync(join(target, 'docs/config.md'), configReference());
writeFileSync(join(target, 'docs/import-records.md'), importReference(comments));
writeFileSync(join(target, 'docs/metrics.md'), metricsReference());
writeFileSync(join(target, 'docs/stored-data.md'), storedDataReference());
writeFileSync(join(target, 'docs/access.md'), accessReference(services, comments, BUILT_IN_ROLES));
writeFileSync(join(target, 'docs/grpc-reference.md'), grpcReference(services, comments));
writeFileSync(
  join(target, 'docs/openapi.json'),
  `${JSON.stringify(openApi(services, info, comments, events), null, 2)}\n`,
);

writeFileSync(
  join(target, 'docs/asyncapi.json'),
  `${JSON.stringify(asyncApi(info, events, CHANNELS, comments), null, 2)}\n`,
);
writeFileSync(join(target, 'docs/events.md'), eventsReference(services, types, comments));

const observability = join(target, 'deploy/observability');
mkdirSync(join(observability, 'dashboards'), { recursive: true });
for (const [path, text] of observabilityFiles()) writeFileSync(join(observability, path), text);

const chart = join(target, 'deploy/helm/steward');
mkdirSync(join(chart, 'files/dashboards'), { recursive: true });
for (const [path, text] of chartFiles()) writeFileSync(join(chart, path), text);
