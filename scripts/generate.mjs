// Regenerates everything that is generated and committed: code from the protos, documents from the schemas.
// With a directory as its argument, writes it there instead of over the repository's own.
import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';
import { root, toolEnvironment } from './workspace.mjs';

const target = resolve(process.argv[2] ?? root);
const options = { cwd: root, env: toolEnvironment(), stdio: /** @type {const} */ ('inherit') };

execFileSync('buf', ['generate', '--output', target], options);
execFileSync('node', ['scripts/generate-docs.ts', target], options);
