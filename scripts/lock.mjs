import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const POLL_INTERVAL_MS = 200;
const HOLDER = 'pid';

/**
 * Waits for a lock between processes of this machine: a directory that names the process that holds it. It takes over
 * a lock whose holder no longer runs.
 *
 * @param {string} path the directory; its parent must exist
 * @param {() => void} onWait called once, when another process holds the lock
 * @returns {Promise<() => void>} releases the lock; the exit of the process releases it, too
 */
export async function acquireLock(path, onWait) {
  let waited = false;
  while (!tryAcquire(path)) {
    const holder = readHolder(path);
    if (holder !== undefined && !isAlive(holder)) {
      takeAway(path, holder);
      continue;
    }
    if (!waited) onWait();
    waited = true;
    await sleep(POLL_INTERVAL_MS);
  }
  const release = () => {
    process.off('exit', release);
    rmSync(path, { recursive: true, force: true });
  };
  process.on('exit', release);
  return release;
}

/**
 * Creates the directory with its content or not at all, because a rename onto a non-empty directory fails.
 *
 * @param {string} path
 */
function tryAcquire(path) {
  const prepared = `${path}.${process.pid}`;
  mkdirSync(prepared, { recursive: true });
  writeFileSync(join(prepared, HOLDER), String(process.pid));
  try {
    renameSync(prepared, path);
    return true;
  } catch {
    rmSync(prepared, { recursive: true, force: true });
    return false;
  }
}

/** @param {string} path */
function readHolder(path) {
  try {
    return Number(readFileSync(join(path, HOLDER), 'utf8'));
  } catch {
    return undefined;
  }
}

/** @param {number} pid */
function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // A process of another user refuses the signal, but exists.
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM';
  }
}

/**
 * Removes the lock of a holder that no longer runs, unless another process has taken it over in the meantime.
 *
 * @param {string} path
 * @param {number} holder
 */
function takeAway(path, holder) {
  const aside = `${path}.${process.pid}.stale`;
  try {
    renameSync(path, aside);
    if (readHolder(aside) !== holder) renameSync(aside, path);
  } catch {
    // It is already removed.
  }
  rmSync(aside, { recursive: true, force: true });
}
