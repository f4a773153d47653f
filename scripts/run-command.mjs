import { spawn } from 'node:child_process';
import { root } from './workspace.mjs';

/**
 * Runs a command in the root of the repository, without input. Does not throw.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<{ status: number | string, output: string }>} the exit status, or the signal that ended the command,
 * or the error because of which it did not start; and what it wrote
 */
export function runCommand(command, args, env) {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: root,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      shell: process.platform === 'win32',
    });
    let output = '';
    const collect = (/** @type {Buffer} */ chunk) => {
      output += chunk;
    };
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    child.on('error', ({ message }) => resolve({ status: message, output }));
    child.on('close', (status, signal) => resolve({ status: status ?? String(signal), output }));
  });
}
