import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { acquireLock } from './lock.mjs';
import { runCommand } from './run-command.mjs';
import { listPackages, root } from './workspace.mjs';

/** npm fetches pnpm, so that only Node must be installed beforehand. */
const PNPM = 'pnpm@12.21.0';

const STAMP = join(root, 'node_modules', '.steward-setup');
const PROGRESS_INTERVAL_MS = 1000;
const MS_PER_S = 1000;
/** Enough lines for pnpm's error with its hint. */
const FAILURE_LINES = 25;

/** Installs the dependencies unless they are installed. Prints nothing when there is nothing to do. */
export async function install() {
  if (isInstalled()) return;
  const key = createHash('sha256').update(root).digest('hex').slice(0, 16);
  const release = await acquireLock(join(tmpdir(), `steward-setup-${key}`), () =>
    console.error('Waiting for another set-up of this directory to end.'),
  );
  try {
    // The process that held the lock may have installed everything.
    if (!isInstalled()) await runPnpm();
  } finally {
    release();
  }
}

/** Returns a digest of the inputs of the installation. */
function fingerprint() {
  const hash = createHash('sha256').update(`${PNPM} ${process.platform} ${process.arch}`);
  for (const file of ['pnpm-lock.yaml', 'pnpm-workspace.yaml']) hash.update(readFileSync(join(root, file)));
  for (const { directory, manifest } of listPackages()) hash.update(directory + JSON.stringify(manifest));
  return hash.digest('hex');
}

function isInstalled() {
  try {
    return readFileSync(STAMP, 'utf8') === fingerprint();
  } catch {
    return false;
  }
}

async function runPnpm() {
  const before = fingerprint();
  const stopProgress = showProgress();
  // Without a terminal, pnpm asks questions unless CI is set.
  const env = { ...process.env, CI: 'true' };
  const { status, output } = await runCommand('npx', ['--yes', PNPM, 'install', '--frozen-lockfile'], env);
  const seconds = stopProgress();
  if (status !== 0) {
    console.error(output.trimEnd().split('\n').slice(-FAILURE_LINES).join('\n'));
    console.error(
      `\nThe dependencies could not be installed: ${PNPM} ended with ${status} after ${seconds} s.`,
    );
    process.exitCode = 1;
    return;
  }
  mkdirSync(join(root, 'node_modules'), { recursive: true });
  writeFileSync(STAMP, before);
  console.error(`Dependencies installed in ${seconds} s.`);
}

/**
 * Shows progress until the returned function is called, which returns the elapsed seconds.
 *
 * @returns {() => number}
 */
function showProgress() {
  const start = performance.now();
  const seconds = () => Math.round((performance.now() - start) / MS_PER_S);
  if (!process.stderr.isTTY) {
    console.error('Installing dependencies; the first time this takes up to a minute.');
    return seconds;
  }
  const draw = () => process.stderr.write(`\rInstalling dependencies... ${seconds()} s`);
  draw();
  const timer = setInterval(draw, PROGRESS_INTERVAL_MS);
  return () => {
    clearInterval(timer);
    process.stderr.write('\r\x1b[K');
    return seconds();
  };
}
