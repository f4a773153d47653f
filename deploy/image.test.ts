import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
} from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { listBuildContext } from './build-context.ts';
import { ENTRIES } from './entries.ts';
import { inside, PackagesMissing, type ReplayedImage, replayBuild } from './replay-build.ts';

const context = fileURLToPath(new URL('..', import.meta.url));
const dockerfile = join(context, 'deploy/Dockerfile');
const read = (file: string) => readFileSync(join(context, file), 'utf8');
const exec = promisify(execFile);

/** How long the server may take to be healthy, in milliseconds; a busy machine takes a few seconds. */
const HEALTHY_TIMEOUT_MS = 60_000;

/** Where the base image has Node. */
const NODE_FOLDER = '/usr/local/bin';

it('is built from nothing that is secret, from elsewhere or for tests', () => {
  const files = listBuildContext(context);
  expect(files).toEqual(expect.arrayContaining(['package.json', 'pnpm-lock.yaml', 'deploy/entrypoint.ts']));
  const folders = new Set(files.map((file) => file.split('/')[0]));
  const known = [
    'LICENSE',
    'deploy',
    'docs',
    'gateway',
    'package.json',
    'packages',
    'patches',
    'pnpm-lock.yaml',
    'pnpm-workspace.yaml',
  ];
  expect([...folders].toSorted()).toEqual([...known, 'proto', 'services']);
  expect(files.filter((file) => /(?:^|\/)node_modules\/|\.test\.ts$/.test(file))).toEqual([]);
});

it('uses the versions of Node and pnpm that everything else uses', () => {
  const text = read('deploy/Dockerfile');
  const major = process.versions.node.split('.')[0];
  const bases = [...text.matchAll(/^FROM (\S+)/gm)].map(([, base]) => base);
  expect(new Set(bases)).toEqual(new Set([`node:${major}-slim`]));
  const pnpm = /pnpm@[\d.]+/;
  expect(pnpm.exec(text)?.[0]).toBe(pnpm.exec(read('scripts/install.mjs'))?.[0]);
});

describe.skipIf(process.platform === 'win32')('built by the steps of the Dockerfile', () => {
  let scratch: string;
  let image: ReplayedImage;
  let missing: string | undefined;

  beforeAll(async () => {
    scratch = mkdtempSync(join(tmpdir(), 'steward-image-'));
    chmodSync(scratch, 0o755);
    const PATH = `${dirname(process.execPath)}${delimiter}${process.env.PATH}`;
    try {
      image = await replayBuild({ dockerfile, context, scratch, env: { ...process.env, PATH } });
    } catch (error) {
      if (!(error instanceof PackagesMissing)) throw error;
      missing = error.message;
      return;
    }
    await exec('chmod', ['-R', 'a-w', inside(image.root, image.workdir)]);
    const bin = inside(image.root, NODE_FOLDER);
    mkdirSync(bin, { recursive: true });
    copyFileSync(process.execPath, join(bin, 'node'));
  });

  beforeEach(({ skip }) => skip(missing !== undefined, missing));

  afterAll(async () => {
    await exec('chmod', ['-R', 'u+w', scratch]);
    rmSync(scratch, { recursive: true });
  });

  /** The environment and the rights that a process has in a container. */
  function surroundings(settings: Readonly<Record<string, string>>) {
    const paths = ([name, value]: [string, string]): [string, string] => [
      name,
      value.startsWith('/') ? inside(image.root, value) : value,
    ];
    const env = Object.fromEntries(Object.entries({ PATH: NODE_FOLDER, ...image.env }).map(paths));
    const [uid, gid] = image.user.split(':').map(Number);
    return {
      cwd: inside(image.root, image.workdir),
      env: { ...env, ...settings },
      // Only root can become somebody else; others cannot write to what nobody may write to.
      ...(process.getuid?.() === 0 ? { uid, gid } : {}),
    };
  }

  function runCommand(command: readonly string[], settings: Readonly<Record<string, string>> = {}) {
    const [program = '', ...args] = [...image.entrypoint, ...command];
    return exec(program, args, surroundings(settings));
  }

  it('has the packages of production only', () => {
    const packages = readdirSync(inside(image.root, `${image.workdir}/node_modules/.pnpm`));
    const named = (name: string) => packages.filter((folder) => folder.startsWith(`${name}@`));
    expect(named('fastify')).toHaveLength(1);
    for (const tool of ['node', 'typescript', 'vitest', '@biomejs+biome', '@bufbuild+buf'])
      expect(named(tool)).toEqual([]);
  });

  it('is not run by root', () => {
    expect(image.user).toMatch(/^[1-9]\d*:[1-9]\d*$/);
  });

  it.each([
    [['user'], 'set STEWARD_ROOM_URLS'],
    [['gateway'], 'set STEWARD_USER_URLS'],
    [['cook'], 'there are all-in-one, gateway'],
    [[], 'there are all-in-one, gateway'],
  ])('says what %j lacks in one line', async (command, line) => {
    const { code, stderr } = await runCommand(command).catch((error) => error);
    expect(stderr.trim().split('\n')).toEqual([expect.stringContaining(line)]);
    expect(code).toBe(1);
  });

  it.each(['register', 'import'])('runs %s', async (command) => {
    expect((await runCommand([command, '--help'])).stdout).toContain(`npm run ${command}`);
  });

  it('has every entry', () => {
    for (const entry of Object.values(ENTRIES))
      expect(existsSync(inside(image.root, `${image.workdir}/${entry}`)), entry).toBe(true);
  });

  it('runs unless told otherwise all in one process: read-only, healthy, and gone with 0 on SIGTERM', async () => {
    const [port, metricsPort] = [await freePort(), await freePort()];
    const settings = { STEWARD_PORT: String(port), STEWARD_METRICS_PORT: String(metricsPort) };
    const [program = '', ...args] = [...image.entrypoint, ...image.command];
    const server = spawn(program, args, {
      ...surroundings(settings),
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const ended = once(server, 'exit');
    try {
      const [probe = '', ...probeArgs] = image.healthcheck;
      const check = () => exec(probe, probeArgs, surroundings(settings));
      const healthy = vi.waitFor(check, { timeout: HEALTHY_TIMEOUT_MS, interval: 50 });
      await Promise.race([
        healthy,
        ended.then(([code]) => Promise.reject(new Error(`It ended with ${code}`))),
      ]);
      expect((await fetch(`http://127.0.0.1:${port}/health`)).status).toBe(200);
      const { stdout } = await runCommand(['register', '--admin', '--password', 'p', 'alice'], settings);
      expect(stdout).toBe('@alice:localhost was created as a server administrator.\n');
      expect(readdirSync(inside(image.root, image.env.STEWARD_DATA ?? ''))).toContain('steward.db');
    } finally {
      server.kill('SIGTERM');
    }
    expect(await ended).toEqual([0, null]);
  });
});

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
