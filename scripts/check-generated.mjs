// Fails when regenerating would change a committed file. Does not change the work tree.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { root } from './workspace.mjs';

/** The folders that contain only generated files. */
const GENERATED_DIRECTORIES = [
  'proto/gen',
  'examples/connect/gen',
  'packages/sdk/src/gen',
  'packages/cli/src/gen',
];

const fresh = mkdtempSync(join(tmpdir(), 'steward-generated-'));
try {
  execFileSync(process.execPath, [join(root, 'scripts/generate.mjs'), fresh], { stdio: 'inherit' });
  const expected = listFiles(fresh, '.');
  const changed = expected.filter((file) => !sameContent(join(root, file), join(fresh, file)));
  const surplus = GENERATED_DIRECTORIES.flatMap((directory) => listFiles(root, directory)).filter(
    (file) => !expected.includes(file),
  );
  for (const file of changed) console.error(`${file} is not what would be generated now`);
  for (const file of surplus) console.error(`${file} would not be generated any more`);
  if (changed.length + surplus.length > 0) {
    console.error('Run npm run generate and commit what changes.');
    process.exitCode = 1;
  }
} finally {
  rmSync(fresh, { recursive: true, force: true });
}

/**
 * @param {string} base
 * @param {string} directory below the base
 * @returns {string[]} relative to the base
 */
function listFiles(base, directory) {
  return readdirSync(join(base, directory), { withFileTypes: true }).flatMap((entry) => {
    const path = join(directory, entry.name);
    return entry.isDirectory() ? listFiles(base, path) : [relative(base, join(base, path))];
  });
}

/**
 * @param {string} one
 * @param {string} other
 */
function sameContent(one, other) {
  return existsSync(one) && readFileSync(one).equals(readFileSync(other));
}
