// Writes the generated files of the client library, from docs/openapi.json of the directory named by the argument and from the kinds
// of actions of the moderation service, into that directory.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { sdkFiles } from '../packages/sdk/src/generate/mod.ts';
import { describeActionKinds } from '../services/moderation/src/mod.ts';

const [target = '.'] = process.argv.slice(2);
const document = JSON.parse(readFileSync(join(target, 'docs/openapi.json'), 'utf8'));
rmSync(join(target, 'packages/sdk/src/gen'), { recursive: true, force: true });
for (const [path, text] of sdkFiles(document, describeActionKinds())) {
  mkdirSync(dirname(join(target, path)), { recursive: true });
  writeFileSync(join(target, path), text);
}
