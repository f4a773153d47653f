// Everything that is checked without running the product. Runs all steps and fails if any of them did.
import { spawnSync } from 'node:child_process';
import { root, toolEnvironment } from './workspace.mjs';

const MS_PER_S = 1000;

/** @type {[name: string, command: string, ...args: string[]][]} */
const STEPS = [
  ['format and lint', 'biome', 'check', '--error-on-warnings', '.'],
  ['types', 'tsc', '-p', 'tsconfig.json'],
  ['types of scripts', 'tsc', '-p', 'scripts'],
  ['dependency rules', 'node', 'scripts/check-imports.mjs'],
  ['unused files, exports and dependencies', 'knip'],
  ['protos: lint', 'buf', 'lint', '--path', 'proto/steward'],
  ['protos: compatible with the last release', 'node', 'scripts/check-compatible.mjs'],
  ['generated files', 'node', 'scripts/check-generated.mjs'],
];

const failed = STEPS.filter((step) => !passes(step)).map(([name]) => name);
if (failed.length > 0) {
  console.error(`\n${failed.length} of ${STEPS.length} checks failed: ${failed.join(', ')}`);
  process.exitCode = 1;
} else {
  console.log(`\nAll ${STEPS.length} checks passed.`);
}

/** @param {[name: string, command: string, ...args: string[]]} step */
function passes([name, command, ...args]) {
  const start = performance.now();
  const { status, error, stdout, stderr } = spawnSync(command, args, {
    cwd: root,
    env: toolEnvironment(),
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  const seconds = ((performance.now() - start) / MS_PER_S).toFixed(1);
  console.log(`${status === 0 ? 'ok    ' : 'FAILED'}  ${name} (${seconds} s)`);
  if (status !== 0) console.error([stdout, stderr, error?.message].filter(Boolean).join('\n'));
  return status === 0;
}
