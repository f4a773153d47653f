import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * @typedef {object} Manifest The parts of a package.json that scripts read.
 * @property {string} name
 * @property {Record<string, string>} [exports]
 * @property {Record<string, string>} [dependencies]
 * @property {Record<string, string>} [devDependencies]
 * @property {Record<string, string>} [optionalDependencies]
 * @property {Record<string, string>} [peerDependencies]
 */

/**
 * @typedef {object} Package A package of the workspace.
 * @property {string} directory Relative to the root, with slashes; empty for the root itself.
 * @property {Manifest} manifest
 */

/** The root of the repository. */
export const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * Returns an environment whose path begins with the tools of the workspace, including its version of Node.
 *
 * @returns {NodeJS.ProcessEnv}
 */
export function toolEnvironment() {
  const tools = join(root, 'node_modules', '.bin');
  return { ...process.env, PATH: `${tools}${delimiter}${process.env.PATH ?? ''}` };
}

/**
 * Returns the root, and the packages that pnpm-workspace.yaml names.
 *
 * @param {string} [base] the root of the workspace
 * @returns {Package[]}
 */
export function listPackages(base = root) {
  const text = readFileSync(join(base, 'pnpm-workspace.yaml'), 'utf8');
  const [, block = ''] = /^packages:\n((?: +- .+\n)+)/m.exec(text) ?? [];
  const patterns = [...block.matchAll(/- (.+)/g)].map(([, pattern = '']) => pattern.replace(/["']/g, ''));
  const directories = patterns.flatMap((pattern) => expand(base, pattern));
  return ['', ...directories]
    .filter((directory) => existsSync(join(base, directory, 'package.json')))
    .map((directory) => ({
      directory,
      manifest: JSON.parse(readFileSync(join(base, directory, 'package.json'), 'utf8')),
    }));
}

/**
 * @param {string} base
 * @param {string} pattern a directory, or all within one, as in packages/*
 * @returns {string[]}
 */
function expand(base, pattern) {
  if (!pattern.endsWith('/*')) return [pattern];
  const parent = pattern.slice(0, -'/*'.length);
  if (!existsSync(join(base, parent))) return [];
  return readdirSync(join(base, parent))
    .sort()
    .map((name) => `${parent}/${name}`);
}
