// Runs all checks that do not run the product. Runs the steps concurrently, and fails if any of them fails.
import { availableParallelism } from 'node:os';
import { runCommand } from './run-command.mjs';
import { toolEnvironment } from './workspace.mjs';

const MS_PER_S = 1000;

/** @type {[name: string, command: string, ...args: string[]][]} */
const STEPS = [
  ['format and lint', 'biome', 'check', '--error-on-warnings', '.'],
  ['types', 'tsc', '-p', 'tsconfig.json'],
  ['types of scripts', 'tsc', '-p', 'scripts'],
  ['types of the console', 'tsc', '-p', 'console'],
  ['dependency rules', 'node', 'scripts/check-imports.mjs'],
  ['floors within packages', 'node', 'scripts/check-floors.mjs'],
  ['unused files, exports and dependencies', 'knip'],
  ['protos: lint', 'buf', 'lint', '--path', 'proto/steward'],
  ['protos: compatible with the last release', 'node', 'scripts/check-compatible.mjs'],
  ['generated files', 'node', 'scripts/check-generated.mjs'],
];

/** The steps that no worker has started. */
const waiting = [...STEPS];
/** @type {string[]} */
const failed = [];
await Promise.all(Array.from({ length: availableParallelism() }, runSteps));
if (failed.length > 0) {
  console.error(`\n${failed.length} of ${STEPS.length} checks failed: ${failed.join(', ')}`);
  process.exitCode = 1;
} else {
  console.log(`\nAll ${STEPS.length} checks passed.`);
}

/** Runs the steps sequentially until none is left. */
async function runSteps() {
  for (let step = waiting.shift(); step; step = waiting.shift()) {
    if (!(await passes(step))) failed.push(step[0]);
  }
}

/**
 * @param {[name: string, command: string, ...args: string[]]} step
 * @returns {Promise<boolean>}
 */
async function passes([name, command, ...args]) {
  const start = performance.now();
  const { status, output } = await runCommand(command, args, toolEnvironment());
  const seconds = ((performance.now() - start) / MS_PER_S).toFixed(1);
  const passed = status === 0;
  console.log(`${passed ? 'ok    ' : 'FAILED'}  ${name} (${seconds} s)`);
  if (!passed) console.error(output || status);
  return passed;
}
