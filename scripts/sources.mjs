// The source files of the workspace and their imports, for the checks of dependencies.
import { readdirSync } from 'node:fs';
import { join, posix } from 'node:path';

const SOURCE_FILE = /\.(?:ts|tsx|mts|mjs|js)$/;
/** An import, an export from a module, or a dynamic import; type imports count. */
const IMPORT = /(?:\bfrom|\bimport)\s*\(?\s*['"]([^'"\n]+)['"]/g;
/** Installed packages, generated code, and what is built for publishing. */
const FOREIGN = new Set(['node_modules', 'gen', 'dist']);

/**
 * Returns the specifiers of the modules that a file imports, each once.
 *
 * @param {string} source the text of the file
 * @returns {string[]}
 */
export function importsOf(source) {
  return [...new Set([...source.matchAll(IMPORT)].map(([, specifier = '']) => specifier))];
}

/**
 * Returns the source files below a directory, without hidden, installed and generated ones.
 *
 * @param {string} directory
 * @param {string} [folder] below it
 * @returns {string[]} paths relative to the directory, with slashes
 */
export function listSources(directory, folder = '') {
  return readdirSync(join(directory, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = posix.join(folder, entry.name);
    if (entry.name.startsWith('.') || FOREIGN.has(entry.name)) return [];
    if (entry.isDirectory()) return listSources(directory, path);
    return SOURCE_FILE.test(entry.name) ? [path] : [];
  });
}
