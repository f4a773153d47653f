import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildConsole, isConsoleBuilt } from './build-console.mjs';
import { isProgramBuilt } from './build-program.mjs';
import { acquireLock } from './lock.mjs';
import { linkVerifiedNode } from './node-binary.mjs';
import { runCommand } from './run-command.mjs';
import { listPackages, root } from './workspace.mjs';

/** npm installs pnpm here, so that only Node and npm must be installed beforehand. */
const PNPM = join('toolchain', 'pnpm');

const MODULES = join(root, 'node_modules');
/** Holds the version of Node for which the dependencies are installed, and a digest of what they depend on. */
const STAMP = join(MODULES, '.steward-setup');
const NODE = join(MODULES, '.bin', 'node');
/** Where pnpm remembers which optional packages it left out; it would leave them out again. */
const LEFT_OUT = join(MODULES, '.modules.yaml');
const PROGRESS_INTERVAL_MS = 1000;
const MS_PER_S = 1000;
/** Enough lines for pnpm's error with its hint. */
const FAILURE_LINES = 25;

/**
 * Installs the dependencies, and builds the programs and the console, unless that is done. Prints nothing when there is nothing to
 * do. Without a console the server works, so it only warns of one that it cannot build.
 */
export async function install() {
  if (isInstalled() && isProgramBuilt() && isConsoleBuilt()) return;
  const key = createHash('sha256').update(root).digest('hex').slice(0, 16);
  const release = await acquireLock(join(tmpdir(), `steward-setup-${key}`), () =>
    console.error('Waiting for another set-up of this directory to end.'),
  );
  try {
    // The process that held the lock may have installed everything.
    if (!isInstalled()) await installAll();
    if (isInstalled() && !isProgramBuilt()) await buildOrFail();
    if (isInstalled() && !isConsoleBuilt()) await buildOrWarn();
  } finally {
    release();
  }
}

/** Returns the text of the stamp of a complete installation: the version of Node, and a digest of all inputs. */
function fingerprint() {
  const workspace = readFileSync(join(root, 'pnpm-workspace.yaml'), 'utf8');
  const [, node = ''] = /^nodeVersion: *(\S+)/m.exec(workspace) ?? [];
  const hash = createHash('sha256').update(`${process.platform} ${process.arch} ${workspace}`);
  const files = ['pnpm-lock.yaml', join(PNPM, 'package-lock.json'), join('toolchain', 'node', 'sha256.json')];
  for (const file of files) hash.update(readFileSync(join(root, file)));
  for (const { directory, manifest } of listPackages()) hash.update(directory + JSON.stringify(manifest));
  return `${node} ${hash.digest('hex')}\n`;
}

function isInstalled() {
  try {
    return readFileSync(STAMP, 'utf8') === fingerprint() && existsSync(NODE);
  } catch {
    return false;
  }
}

async function installAll() {
  const before = fingerprint();
  const stopProgress = showProgress('Installing dependencies', '; the first time this takes up to a minute.');
  try {
    for (const file of [STAMP, LEFT_OUT]) rmSync(file, { force: true });
    await run(
      'npm',
      'ci',
      '--ignore-scripts',
      '--include=optional',
      '--no-audit',
      '--no-fund',
      '--prefix',
      PNPM,
    );
    await run(pnpmProgram(), 'install', '--frozen-lockfile');
    await linkVerifiedNode();
    writeFileSync(STAMP, before);
    console.error(`Dependencies installed in ${stopProgress()} s.`);
  } catch (error) {
    const seconds = stopProgress();
    console.error(error instanceof Error ? error.message : error);
    console.error(`\nThe dependencies could not be installed; it ended after ${seconds} s.`);
    process.exitCode = 1;
  }
}

async function buildOrFail() {
  const stopProgress = showProgress('Building the programs', '.');
  try {
    // In a process of its own, which can use the syntax that the bundler needs.
    await run(NODE, join(root, 'scripts', 'build-program.mjs'));
    console.error(`Programs built in ${stopProgress()} s.`);
  } catch (error) {
    stopProgress();
    console.error(error instanceof Error ? error.message : error);
    console.error('\nThe programs could not be built.');
    process.exitCode = 1;
  }
}

async function buildOrWarn() {
  const stopProgress = showProgress('Building the web console', '.');
  try {
    await buildConsole({ node: NODE });
    console.error(`Web console built in ${stopProgress()} s.`);
  } catch (error) {
    stopProgress();
    console.error(error instanceof Error ? error.message : error);
    console.error('\nWarning: the web console could not be built. The server starts without it.');
  }
}

/** Returns the path of pnpm. Its package has the name of the platform. */
function pnpmProgram() {
  const folder = join(root, PNPM, 'node_modules', '@pnpm');
  const [name] = existsSync(folder) ? readdirSync(folder) : [];
  if (name === undefined) {
    throw new Error(
      `npm did not install pnpm for ${process.platform}-${process.arch}: the registry has none, or another one than ${PNPM}/package-lock.json names.`,
    );
  }
  return join(folder, name, 'pnpm');
}

/**
 * @param {string} command
 * @param {string[]} args
 * @throws Error with the last lines of its output when it fails
 */
async function run(command, ...args) {
  // Without a terminal, pnpm asks questions unless CI is set.
  const { status, output } = await runCommand(command, args, { ...process.env, CI: 'true' });
  if (status === 0) return;
  const lines = output.trimEnd().split('\n').slice(-FAILURE_LINES);
  throw new Error(`${lines.join('\n')}\n\n${command} ${args[0]} ended with ${status}.`);
}

/**
 * Shows progress until the returned function is called, which returns the elapsed seconds.
 *
 * @param {string} work
 * @param {string} note what follows it where the seconds cannot be shown
 * @returns {() => number}
 */
function showProgress(work, note) {
  const start = performance.now();
  const seconds = () => Math.round((performance.now() - start) / MS_PER_S);
  if (!process.stderr.isTTY) {
    console.error(work + note);
    return seconds;
  }
  const draw = () => process.stderr.write(`\r${work}... ${seconds()} s`);
  draw();
  const timer = setInterval(draw, PROGRESS_INTERVAL_MS);
  return () => {
    clearInterval(timer);
    process.stderr.write('\r\x1b[K');
    return seconds();
  };
}
