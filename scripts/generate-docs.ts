// Writes the documents that are generated from schemas and descriptors, into the directory named by the argument.
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chartFiles } from '../deploy/helm/chart-files.ts';
import { observabilityFiles } from '../deploy/observability/source/files.ts';
import { services } from '../gateway/src/mod.ts';
import manifest from '../package.json' with { type: 'json' };
import { configReference } from '../packages/config/src/mod.ts';
import { accessReference, openApi, readComments } from '../packages/http/src/mod.ts';
import { metricsReference } from '../packages/telemetry/src/mod.ts';
import { BUILT_IN_ROLES } from '../services/user/src/mod.ts';

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

mkdirSync(join(target, 'docs'), { recursive: true });
writeFileSync(join(target, 'docs/config.md'), configReference());
writeFileSync(join(target, 'docs/metrics.md'), metricsReference());
writeFileSync(join(target, 'docs/access.md'), accessReference(services, comments, BUILT_IN_ROLES));
writeFileSync(
  join(target, 'docs/openapi.json'),
  `${JSON.stringify(openApi(services, info, comments), null, 2)}\n`,
);

const observability = join(target, 'deploy/observability');
mkdirSync(join(observability, 'dashboards'), { recursive: true });
for (const [path, text] of observabilityFiles()) writeFileSync(join(observability, path), text);

const chart = join(target, 'deploy/helm/steward');
mkdirSync(join(chart, 'files/dashboards'), { recursive: true });
for (const [path, text] of chartFiles()) writeFileSync(join(chart, path), text);
