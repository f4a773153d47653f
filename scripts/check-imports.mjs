// Fails when a file or a package.json breaks the dependency rules between packages.
import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { importsOf, listSources } from './sources.mjs';
import { listPackages, root } from './workspace.mjs';

/** @import { Package } from './workspace.mjs' */

const SCOPE = '@steward/';
const DEPENDENCY_KINDS = /** @type {const} */ ([
  'dependencies',
  'devDependencies',
  'optionalDependencies',
  'peerDependencies',
]);
const PINNED_ONCE = /^(?:catalog|workspace):/;
const CATALOG_ENTRY = /^ {2}"?([^":\s]+)"?: (\S+)$/gm;

/** What is copied out of the repository. */
const EXAMPLES = 'examples/';

/** The service that composes all others in one process. */
const COMPOSITION = 'services/all-in-one';

/** What runs in browsers: it uses the server as every other program does, through the client library. */
const CONSOLE = 'console';
const CLIENT_LIBRARY = 'packages/sdk';

/** The packages that concern the whole product. */
const OF_THE_WHOLE = new Set([COMPOSITION, 'bench', 'chaos', 'conformance', 'hostile']);

/**
 * Returns the imports of the file at `path` that break the rules, one line each.
 *
 * @param {string} path relative to the root, with slashes
 * @param {string} source its text
 * @param {readonly Package[]} packages all of the workspace
 * @returns {string[]}
 */
export function checkSource(path, source, packages) {
  const owner = ownerOf(path, packages);
  return importsOf(source).flatMap((specifier) => {
    const breach = specifier.startsWith('.')
      ? checkRelative(path, specifier, owner, packages)
      : checkNamed(specifier, owner, packages);
    return breach === undefined ? [] : [`${path}: ${breach}`];
  });
}

/**
 * Returns the declared dependencies of the package that break the rules, one line each. Examples are installed outside of the
 * workspace, so that they state the versions of the catalog.
 *
 * @param {Package} pkg
 * @param {ReadonlyMap<string, string>} catalog the version of each dependency
 * @returns {string[]}
 */
export function checkManifest({ directory, manifest }, catalog) {
  const isExample = directory.startsWith(EXAMPLES);
  return DEPENDENCY_KINDS.flatMap((kind) => Object.entries(manifest[kind] ?? {}))
    .filter(([name, version]) => (isExample ? version !== catalog.get(name) : !PINNED_ONCE.test(version)))
    .map(([name, version]) => {
      const right = isExample
        ? `"${catalog.get(name) ?? 'a version'}" of the catalog`
        : '"catalog:" or "workspace:*"';
      return `${posix.join(directory, 'package.json')}: ${name} must be ${right}, not "${version}"`;
    });
}

/**
 * Returns the version of each dependency in the text of pnpm-workspace.yaml.
 *
 * @param {string} workspace
 * @returns {ReadonlyMap<string, string>}
 */
export function readCatalog(workspace) {
  const [, entries = ''] = /^catalog:\n((?: {2}.*\n)*)/m.exec(workspace) ?? [];
  return new Map([...entries.matchAll(CATALOG_ENTRY)].map(([, name = '', version = '']) => [name, version]));
}

/**
 * @param {string} path
 * @param {string} specifier
 * @param {Package} owner
 * @param {readonly Package[]} packages
 */
function checkRelative(path, specifier, owner, packages) {
  const target = posix.join(posix.dirname(path), specifier);
  const other = ownerOf(target, packages);
  if (other === owner) return undefined;
  if (owner.directory !== '') return `${specifier} leaves the package; import ${other.manifest.name} instead`;
  // Scripts belong to the root, which depends on no package of the workspace.
  const doors = Object.values(other.manifest.exports ?? {}).map((door) => posix.join(other.directory, door));
  return doors.includes(target) ? undefined : `${specifier} is not exported by ${other.manifest.name}`;
}

/**
 * @param {string} specifier
 * @param {Package} owner
 * @param {readonly Package[]} packages
 */
function checkNamed(specifier, owner, packages) {
  if (!specifier.startsWith(SCOPE)) return undefined;
  const [scope = '', short = '', ...rest] = specifier.split('/');
  const name = `${scope}/${short}`;
  if (name === owner.manifest.name) return `${specifier} is the package itself; import relatively`;
  const target = packages.find(({ manifest }) => manifest.name === name);
  if (target === undefined) return `there is no package ${name}`;
  if (!isDeclared(name, owner))
    return `${name} is not declared in ${posix.join(owner.directory, 'package.json')}`;
  if (!hasDoor(['.', ...rest].join('/'), target)) return `${specifier} is not exported by ${name}`;
  return mayDepend(owner, target) ? undefined : `${owner.manifest.name} may not import ${name}`;
}

/**
 * Every package may use proto and packages. Only the composition, and the tests of the whole product, may use services
 * and the gateway. The console may use the client library only.
 *
 * @param {Package} owner
 * @param {Package} target
 */
function mayDepend(owner, target) {
  if (owner.directory === CONSOLE) return target.directory === CLIENT_LIBRARY;
  if (target.directory === 'proto') return true;
  if (target.directory.startsWith('packages/')) return owner.directory !== 'proto';
  return OF_THE_WHOLE.has(owner.directory);
}

/**
 * @param {string} name
 * @param {Package} owner
 */
function isDeclared(name, { manifest }) {
  return DEPENDENCY_KINDS.some((kind) => manifest[kind]?.[name] !== undefined);
}

/**
 * @param {string} subpath as a key of exports is written
 * @param {Package} target
 */
function hasDoor(subpath, { manifest }) {
  return Object.keys(manifest.exports ?? {}).some((door) =>
    door.endsWith('*') ? subpath.startsWith(door.slice(0, -1)) : subpath === door,
  );
}

/**
 * Returns the package that a file belongs to: the one of the nearest directory above it.
 *
 * @param {string} path
 * @param {readonly Package[]} packages the root among them
 * @returns {Package}
 */
function ownerOf(path, packages) {
  const above = packages.filter(({ directory }) => directory === '' || path.startsWith(`${directory}/`));
  const [nearest] = above.sort((a, b) => b.directory.length - a.directory.length);
  if (nearest === undefined) throw new Error(`${path} belongs to no package`);
  return nearest;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const packages = listPackages();
  const sources = listSources(root);
  const catalog = readCatalog(readFileSync(join(root, 'pnpm-workspace.yaml'), 'utf8'));
  const breaches = [
    ...packages.flatMap((pkg) => checkManifest(pkg, catalog)),
    ...sources.flatMap((path) => checkSource(path, readFileSync(join(root, path), 'utf8'), packages)),
  ];
  for (const breach of breaches) console.error(breach);
  if (breaches.length > 0) process.exitCode = 1;
  else console.log(`${sources.length} files and ${packages.length} packages keep the rules.`);
}
