// A folder that is built from the workspace, with a digest of what a complete build was made from.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, posix } from 'node:path';

/** Installed packages, tests, and what is built or hidden. */
const NO_INPUT = /^(?:node_modules|dist|\..*|.*\.test\.tsx?)$/;

/** How the folders begin where a build stands until it is complete, and where the former one stands while it is replaced. */
const TEMPORARY = '.dist-';
/** Holds the digest of what a complete build was made from. */
const STAMP = '.steward-build';

/**
 * @typedef {object} BuiltFolder
 * @property {string} parent The folder in which it stands, relative to the root, with slashes; empty for the root.
 * @property {readonly string[]} inputs The files and folders that it is built from, relative to the root.
 */

/** Its name in the parent. */
const BUILT = 'dist';

/**
 * Whether the folder is built from what is in the workspace now.
 *
 * @param {BuiltFolder} folder
 * @param {string} base the root of the workspace
 */
export function isBuilt({ parent, inputs }, base) {
  try {
    return readFileSync(join(base, parent, BUILT, STAMP), 'utf8') === digestOf(base, inputs);
  } catch {
    return false;
  }
}

/**
 * Builds the folder. A build that fails or is killed leaves the former one.
 *
 * @param {BuiltFolder} folder
 * @param {string} base the root of the workspace
 * @param {(incomplete: string) => Promise<void>} build writes all files to the folder that it receives
 * @throws what `build` throws
 */
export async function replaceBuilt({ parent, inputs }, base, build) {
  const place = join(base, parent);
  const built = join(place, BUILT);
  // Named after the process: a program that builds may outlive a set-up that was killed.
  const incomplete = join(place, `${TEMPORARY}incomplete-${process.pid}`);
  const former = join(place, `${TEMPORARY}former-${process.pid}`);
  const digest = digestOf(base, inputs);
  for (const name of readdirSync(place))
    if (name.startsWith(TEMPORARY)) rmSync(join(place, name), { recursive: true, force: true });
  await build(incomplete);
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
 * @param {string} directory
 * @param {(name: string) => boolean} isIncluded whether a file or folder counts
 * @param {string} [folder] below the directory
 * @returns {string[]} paths relative to the directory, with slashes, in the order of their names
 */
export function filesBelow(directory, isIncluded, folder = '') {
  return readdirSync(join(directory, folder), { withFileTypes: true })
    .filter(({ name }) => isIncluded(name))
    .sort((one, other) => (one.name < other.name ? -1 : 1))
    .flatMap((entry) => {
      const path = posix.join(folder, entry.name);
      return entry.isDirectory() ? filesBelow(directory, isIncluded, path) : [path];
    });
}

/**
 * The digest of all that a build depends on.
 *
 * @param {string} base
 * @param {readonly string[]} inputs
 */
function digestOf(base, inputs) {
  const hash = createHash('sha256');
  for (const path of inputs.flatMap((input) => inputsAt(base, input))) {
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
