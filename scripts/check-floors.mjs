// Fails when the inside of a package is not built in floors: within each folder, the files and folders that it holds
// import each other in one direction only, so that each stands above all that it imports.
import { readFileSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { importsOf, listSources } from './sources.mjs';
import { listPackages, root } from './workspace.mjs';

/** Tests, and the files that only tests use, stand beside the tested file and import from anywhere in their package. */
const TEST_ONLY = /\.test\.tsx?$|(?:^|\/)(?:fixtures|testing|contract)\/|(?:^|\/)testing\.ts$/;

/** The order of the floors of a service, from the ground; all other files and folders belong to the top floor. */
const SERVICE_FLOORS = [['peers'], ['core'], ['verbs', 'events', 'import', 'export']];
const TOP_FLOOR = SERVICE_FLOORS.length;

/**
 * @typedef {ReadonlyMap<string, ReadonlySet<string>>} Imports The paths that each source file imports.
 */

/**
 * Returns the violations in the structure of a package, one line each.
 *
 * @param {Imports} imports of all its files, with paths relative to the directory of its sources
 * @param {{ readonly service: boolean }} options whether it is a service, with the floors that services have
 * @returns {string[]}
 */
export function checkFloors(imports, { service }) {
  return [...circlesOf(imports), ...(service ? upwardOf(imports) : [])];
}

/**
 * Returns the import cycles among the files and subfolders of each folder.
 *
 * @param {Imports} imports
 * @returns {string[]}
 */
function circlesOf(imports) {
  return [...foldersOf(imports)].flatMap((folder) =>
    components(childGraph(imports, folder))
      .filter((circle) => circle.length > 1)
      .map((circle) => {
        const ties = tiesWithin(imports, folder, new Set(circle));
        return `${folder || '.'}: ${circle.join(', ')} import each other in a circle:\n${ties.map((tie) => `    ${tie}`).join('\n')}`;
      }),
  );
}

/**
 * Returns the imports of a service that lead upward, or to another folder of the same floor.
 *
 * @param {Imports} imports
 * @returns {string[]}
 */
function upwardOf(imports) {
  const breaches = [];
  for (const [from, targets] of imports) {
    for (const to of targets) {
      const [fromPart = '', fromConcept = ''] = from.split('/');
      const [toPart = '', toConcept = ''] = to.split('/');
      if (floorOf(toPart) > floorOf(fromPart)) breaches.push(`${from}: ${to} is on a higher floor`);
      else if (fromPart === 'verbs' && toPart === 'verbs' && fromConcept !== toConcept)
        breaches.push(`${from}: ${to} is a verb of another concept`);
      else if (fromPart !== toPart && floorOf(fromPart) === floorOf(toPart) && floorOf(toPart) < TOP_FLOOR)
        breaches.push(`${from}: ${to} stands beside it; what both need belongs into core`);
    }
  }
  return breaches;
}

/** @param {string} part */
function floorOf(part) {
  const floor = SERVICE_FLOORS.findIndex((parts) => parts.includes(part));
  return floor < 0 ? TOP_FLOOR : floor;
}

/**
 * @param {Imports} imports
 * @returns {Set<string>}
 */
function foldersOf(imports) {
  const folders = new Set(['']);
  for (const path of imports.keys()) {
    for (let folder = posix.dirname(path); folder !== '.'; folder = posix.dirname(folder))
      folders.add(folder);
  }
  return folders;
}

/**
 * Returns which files and subfolders of a folder import which others of that folder.
 *
 * @param {Imports} imports
 * @param {string} folder
 * @returns {Map<string, Set<string>>}
 */
function childGraph(imports, folder) {
  /** @type {Map<string, Set<string>>} */
  const graph = new Map();
  for (const [from, targets] of imports) {
    const child = childIn(folder, from);
    if (child === undefined) continue;
    const edges = graph.get(child) ?? new Set();
    graph.set(child, edges);
    for (const to of targets) {
      const other = childIn(folder, to);
      if (other !== undefined && other !== child) edges.add(other);
    }
  }
  return graph;
}

/**
 * @param {Imports} imports
 * @param {string} folder
 * @param {ReadonlySet<string>} circle
 */
function tiesWithin(imports, folder, circle) {
  return [...imports].flatMap(([from, targets]) =>
    [...targets]
      .filter((to) => {
        const [a, b] = [childIn(folder, from), childIn(folder, to)];
        return a !== undefined && b !== undefined && a !== b && circle.has(a) && circle.has(b);
      })
      .map((to) => `${from} -> ${to}`),
  );
}

/**
 * Returns the file or subfolder of `folder` that contains `path`.
 *
 * @param {string} folder
 * @param {string} path
 */
function childIn(folder, path) {
  if (folder === '') return path.split('/')[0];
  return path.startsWith(`${folder}/`) ? path.slice(folder.length + 1).split('/')[0] : undefined;
}

/**
 * The strongly connected components of a graph, after Tarjan.
 *
 * @param {Map<string, Set<string>>} graph
 * @returns {string[][]}
 */
function components(graph) {
  /** @type {Map<string, { index: number, low: number, open: boolean }>} */
  const seen = new Map();
  /** @type {string[]} */
  const stack = [];
  /** @type {string[][]} */
  const found = [];
  /** @param {string} node */
  const visit = (node) => {
    const own = { index: seen.size, low: seen.size, open: true };
    seen.set(node, own);
    stack.push(node);
    for (const next of graph.get(node) ?? []) {
      const other = seen.get(next) ?? visit(next);
      if (other.open) own.low = Math.min(own.low, other.low);
    }
    if (own.low === own.index) {
      const component = stack.splice(stack.indexOf(node));
      for (const member of component) {
        const state = seen.get(member);
        if (state) state.open = false;
      }
      found.push(component.sort());
    }
    return own;
  };
  for (const node of graph.keys()) if (!seen.has(node)) visit(node);
  return found;
}

/**
 * The imports among the sources below a directory, tests left out.
 *
 * @param {string} directory
 * @returns {Map<string, Set<string>>}
 */
function readImports(directory) {
  const files = new Set(listSources(directory).filter((path) => !TEST_ONLY.test(path)));
  return new Map(
    [...files].map((path) => {
      const targets = importsOf(readFileSync(join(directory, path), 'utf8'))
        .filter((specifier) => specifier.startsWith('.'))
        .map((specifier) => posix.join(posix.dirname(path), specifier));
      return [path, new Set(targets.filter((target) => files.has(target)))];
    }),
  );
}

/** @param {string} path */
function isDirectory(path) {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const only = process.argv.slice(2);
  let files = 0;
  let breaches = 0;
  const sources = listPackages()
    .filter(({ directory }) => directory !== '' && (only.length === 0 || only.includes(directory)))
    .map(({ directory }) => (isDirectory(join(root, directory, 'src')) ? `${directory}/src` : directory));
  for (const directory of sources) {
    const imports = readImports(join(root, directory));
    files += imports.size;
    const service = isDirectory(join(root, directory, 'core'));
    for (const breach of checkFloors(imports, { service })) {
      breaches++;
      console.error(`${directory}/${breach}`);
    }
  }
  if (breaches > 0) process.exitCode = 1;
  else console.log(`${files} files of ${sources.length} packages stand above what they import.`);
}
