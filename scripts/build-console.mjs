// Builds the console into console/dist, from where the gateway serves it. Set-up imports this file; run by itself, it
// builds, and fails if that fails.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, gzip, constants as zlib } from 'node:zlib';
import { filesBelow, isBuilt, replaceBuilt } from './built-folder.mjs';
import { runCommand } from './run-command.mjs';
import { root, toolEnvironment } from './workspace.mjs';

/** What the console is built from, beside its own files: the client library, the versions of all packages, and the build. */
const CONSOLE = {
  parent: 'console',
  inputs: [
    'console',
    'packages/sdk/src',
    'packages/sdk/package.json',
    'pnpm-lock.yaml',
    'scripts/build-console.mjs',
    'scripts/built-folder.mjs',
    'tsconfig.base.json',
  ],
};

const VITE = join('console', 'node_modules', 'vite', 'bin', 'vite.js');
/** Enough lines for the error of Vite with the place in the source. */
const FAILURE_LINES = 25;

const TEXT_FILE = /\.(?:css|js|json|svg|webmanifest)$/;
/** Smaller files take one packet of the network in any case. */
const COMPRESSED_FROM_BYTES = 1024;

/**
 * Whether the console is built from what is in the workspace now.
 *
 * @param {string} [base] the root of the workspace
 */
export function isConsoleBuilt(base = root) {
  return isBuilt(CONSOLE, base);
}

/**
 * Builds the console. A build that fails or is killed leaves the former one; a server that runs serves the new one from then on.
 *
 * @param {{ base?: string, node: string }} options the root of the workspace, and the Node that runs Vite
 * @throws Error with the last lines of Vite when the build fails
 */
export async function buildConsole({ base = root, node }) {
  await replaceBuilt(CONSOLE, base, async (folder) => {
    const args = ['build', join(base, 'console'), '--outDir', folder, '--logLevel', 'warn'];
    const env = { ...toolEnvironment(), NODE_ENV: 'production' };
    const { status, output } = await runCommand(node, [join(base, VITE), ...args], env);
    if (status !== 0)
      throw new Error(output.trim().split('\n').slice(-FAILURE_LINES).join('\n') || `${status}`);
    const files = filesBelow(folder, () => true).filter((path) => TEXT_FILE.test(path));
    await Promise.all(files.map((path) => compress(join(folder, path))));
  });
}

/**
 * Writes the file compressed beside itself, because the server would compress it again for each request, and less.
 *
 * @param {string} path
 */
async function compress(path) {
  const content = await readFile(path);
  if (content.length < COMPRESSED_FROM_BYTES) return;
  const params = { [zlib.BROTLI_PARAM_SIZE_HINT]: content.length };
  await Promise.all([
    promisify(brotliCompress)(content, { params }).then((bytes) => writeFile(`${path}.br`, bytes)),
    promisify(gzip)(content, { level: zlib.Z_BEST_COMPRESSION }).then((bytes) =>
      writeFile(`${path}.gz`, bytes),
    ),
  ]);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildConsole({ node: process.execPath });
