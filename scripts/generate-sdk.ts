// Writes the generated files of the client library, from docs/openapi.json of the directory named by the argument, from the kinds of
// actions of the moderation service, and from what the audit log records, into that directory.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { services } from '../gateway/src/mod.ts';
import { auditedMethod } from '../packages/audit/src/mod.ts';
import { sdkFiles } from '../packages/sdk/src/generate/mod.ts';
import { describeActionKinds } from '../services/moderation/src/mod.ts';

const [target = '.'] = process.argv.slice(2);
const document = JSON.parse(readFileSync(join(target, 'docs/openapi.json'), 'utf8'));
rmSync(join(target, 'packages/sdk/src/gen'), { recursive: true, force: true });
const audited = services
  .flatMap(({ methods }) => methods)
  .map((method) => auditedMethod(method))
  .filter(({ recordedCalls }) => recordedCalls !== 'as_another_user')
  .map(({ action }) => action);
for (const [path, text] of sdkFiles(document, describeActionKinds(), audited)) {
  mkdirSync(dirname(join(target, path)), { recursive: true });
  writeFileSync(join(target, path), text);
}
