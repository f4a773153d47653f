// Builds the console into console/dist, from where the gateway serves it. Set-up imports this file; run by itself, it
// builds, and fails if that fails.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, gzip, constants as zlib } from 'node:zlib';
import { runCommand } from './run-command.mjs';
import { root, toolEnvironment } from './workspace.mjs';

/** What the console is built from, beside its own files: the client library, the versions of all packages, and this file. */
const INPUTS = [
  'console',
  'packages/sdk/src',
  'packages/sdk/package.json',
  'pnpm-lock.yaml',
  'scripts/build-console.mjs',
  'tsconfig.base.json',
];
/** Installed packages, tests, and what is built or hidden. */
const NO_INPUT = /^(?:node_modules|dist|\..*|.*\.test\.tsx?)$/;

const BUILT = join('console', 'dist');
/** How the folders begin where a build stands until it is complete, and where the former one stands while it is replaced. */
const TEMPORARY = '.dist-';
/** Holds the digest of what a complete build was made from. */
const STAMP = '.steward-build';

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
  try {
    return readFileSync(join(base, BUILT, STAMP), 'utf8') === digestOf(base);
  } catch {
    return false;
  }
}

/**
 * Builds the console. A build that fails or is killed leaves the former one; a server that runs serves the new one from then on.
 *
 * @param {{ base?: string, node: string }} options the root of the workspace, and the Node that runs Vite
 * @throws Error with the last lines of Vite when the build fails
 */
export async function buildConsole({ base = root, node }) {
  const built = join(base, BUILT);
  // Named after the process: Vite may outlive a set-up that was killed.
  const incomplete = join(base, 'console', `${TEMPORARY}incomplete-${process.pid}`);
  const former = join(base, 'console', `${TEMPORARY}former-${process.pid}`);
  const digest = digestOf(base);
  for (const name of readdirSync(join(base, 'console')))
    if (name.startsWith(TEMPORARY)) rmSync(join(base, 'console', name), { recursive: true, force: true });
  const args = ['build', join(base, 'console'), '--outDir', incomplete, '--logLevel', 'warn'];
  const env = { ...toolEnvironment(), NODE_ENV: 'production' };
  const { status, output } = await runCommand(node, [join(base, VITE), ...args], env);
  if (status !== 0)
    throw new Error(output.trim().split('\n').slice(-FAILURE_LINES).join('\n') || `${status}`);
  const files = filesBelow(incomplete, () => true).filter((path) => TEXT_FILE.test(path));
  await Promise.all(files.map((path) => compress(join(incomplete, path))));
  writeFileSync(join(incomplete, STAMP), digest);
  try {
    renameSync(built, former);
  } catch {
    // There is no former build.
  }
  renameSync(incomplete, built);
  rmSync(former, { recursive: true, force: true });
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

/**
 * The digest of all that a build depends on.
 *
 * @param {string} base
 */
function digestOf(base) {
  const hash = createHash('sha256');
  for (const path of INPUTS.flatMap((input) => inputsAt(base, input))) {
    const content = readFileSync(join(base, path));
    hash.update(`${path}\n${content.length}\n`).update(content);
  }
  return `${hash.digest('hex')}\n`;
}

/**
 * @param {string} base
 * @param {string} input a file or a folder
 */
function inputsAt(base, input) {
  if (posix.extname(input) !== '') return [input];
  return filesBelow(join(base, input), (name) => !NO_INPUT.test(name)).map((path) => posix.join(input, path));
}

/**
 * @param {string} directory
 * @param {(name: string) => boolean} isIncluded whether a file or folder counts
 * @param {string} [folder] below the directory
 * @returns {string[]} paths relative to the directory, with slashes, in the order of their names
 */
function filesBelow(directory, isIncluded, folder = '') {
  return readdirSync(join(directory, folder), { withFileTypes: true })
    .filter(({ name }) => isIncluded(name))
    .sort((one, other) => (one.name < other.name ? -1 : 1))
    .flatMap((entry) => {
      const path = posix.join(folder, entry.name);
      return entry.isDirectory() ? filesBelow(directory, isIncluded, path) : [path];
    });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildConsole({ node: process.execPath });
