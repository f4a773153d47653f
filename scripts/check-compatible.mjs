// Fails when the protos break a caller of the last release, whose contract is proto/baseline.binpb.
import { spawnSync } from 'node:child_process';
import { root, toolEnvironment } from './workspace.mjs';

const BASELINE = 'proto/baseline.binpb';
const MAX_IMAGE_BYTES = 64 * 1024 * 1024;

// The baseline is one image, and images are compared with images only.
const image = buf(['build', '--path', 'proto/steward', '--output', '-']);
if (image !== undefined) buf(['breaking', '-', '--against', BASELINE, '--path', 'steward'], image);

/**
 * @param {string[]} args
 * @param {Buffer} [input]
 * @returns {Buffer | undefined} what it wrote, unless it failed
 */
function buf(args, input) {
  const { status, stdout } = spawnSync('buf', args, {
    cwd: root,
    env: toolEnvironment(),
    input,
    maxBuffer: MAX_IMAGE_BYTES,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  if (status === 0) return stdout;
  process.stderr.write(stdout ?? '');
  process.exitCode = 1;
  return undefined;
}
