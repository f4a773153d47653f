// Writes the table of the commands of stewardctl from docs/openapi.json of the directory named by the argument, and into it.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { commandFiles } from '../packages/cli/src/generate/mod.ts';

const [target = '.'] = process.argv.slice(2);
const document = JSON.parse(readFileSync(join(target, 'docs/openapi.json'), 'utf8'));
for (const [path, text] of commandFiles(document)) {
  mkdirSync(dirname(join(target, path)), { recursive: true });
  writeFileSync(join(target, path), text);
}
