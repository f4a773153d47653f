import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isDue, requireTool } from '../packages/testing/src/mod.ts';
import { listPackages, root } from './workspace.mjs';

const exec = promisify(execFile);
const nodes = requireTool('nodes');

/** What set-up is made of. */
const GUARDS = ['scripts/', 'toolchain/', 'package.json', 'pnpm-'];

/** What set-up reads, besides the package.json of each package. */
const FILES = ['pnpm-lock.yaml', 'pnpm-workspace.yaml', 'patches', 'scripts'];
const TOOLCHAIN = ['node/sha256.json', 'pnpm/package.json', 'pnpm/package-lock.json'];
/** The service that loads sharp, and what it imports; without the others, set-up is quicker. */
const INSTALLED = /^(?:|proto|packages\/.+|services\/media|toolchain\/node)$/;

/** Whether a file or folder of the console is copied to the clone. */
const isSource = (path: string) => !/(?:^|\/)(?:node_modules|dist)$/.test(path);

/** In place of the build of the programs, which needs all packages. */
const NO_PROGRAM = 'export const isProgramBuilt = () => true; export const buildProgram = () => {};';

const STAMP = 'node_modules/.steward-setup';
const WORKSPACE = 'pnpm-workspace.yaml';

/** Loads the package whose native part is an optional package for one platform. */
const LOAD_SHARP = "import('sharp').then(() => console.log(process.version), () => console.log('no sharp'))";

describe.skipIf(nodes.command === undefined)(`set-up under ${nodes.title}`, () => {
  const commands = nodes.command?.split(delimiter) ?? [];
  let clone: string;

  beforeEach(() => {
    clone = mkdtempSync(join(tmpdir(), 'steward-setup-'));
    const manifests = listPackages()
      .filter(({ directory }) => INSTALLED.test(directory))
      .map(({ directory }) => join(directory, 'package.json'));
    for (const path of [...FILES, ...TOOLCHAIN.map((file) => join('toolchain', file)), ...manifests]) {
      cpSync(join(root, path), join(clone, path), { recursive: true });
    }
    writeFileSync(join(clone, 'scripts/build-program.mjs'), NO_PROGRAM);
  });

  afterEach(() => rmSync(clone, { recursive: true }));

  /** Runs set-up as in a new clone, with the packages that are on this machine. */
  async function setUp(command: string) {
    const PATH = [dirname(command), process.env.PATH].join(delimiter);
    const env = { ...process.env, PATH, npm_config_offline: 'true', pnpm_config_offline: 'true' };
    return exec('npm', ['run', '--silent', 'setup'], { cwd: clone, env });
  }

  async function loadSharp() {
    const node = join(clone, 'node_modules/.bin/node');
    // Without NODE_PATH, with which the runner of the tests finds the packages of its own workspace.
    const { stdout } = await exec(node, ['-e', LOAD_SHARP], { cwd: join(clone, 'services/media'), env: {} });
    return stdout.trim();
  }

  it.each(commands.filter((_, n) => isDue(`set-up under version ${n}`, GUARDS)))(
    '%s installs everything that the server loads, once',
    async (command) => {
      expect((await setUp(command)).stderr).toContain('Dependencies installed');
      expect(await loadSharp()).toBe(process.version);
      expect(readFileSync(join(clone, STAMP), 'utf8').split(' ')[0]).toBe(process.versions.node);
      expect((await setUp(command)).stderr).not.toContain('nstalling');
    },
  );

  it('builds the console, once, and without it only warns', async () => {
    const [oldest = ''] = commands;
    for (const path of ['console', 'packages/sdk/src', 'tsconfig.base.json'])
      cpSync(join(root, path), join(clone, path), { recursive: true, filter: isSource });
    const page = join(clone, 'console/index.html');
    const source = readFileSync(page, 'utf8');
    writeFileSync(page, source.replace('src="./src/', 'src="./none/'));
    expect((await setUp(oldest)).stderr).toContain('Warning: the web console could not be built');
    writeFileSync(page, source);
    expect((await setUp(oldest)).stderr).toMatch(
      /^Building the web console\.\nWeb console built in \d+ s\.\n$/,
    );
    expect(readFileSync(join(clone, 'console/dist/index.html'), 'utf8')).toContain('nonce="__NONCE__"');
    expect((await setUp(oldest)).stderr).toBe('');
  });

  it.skipIf(!isDue('set-up completes another', GUARDS))(
    'completes what an earlier set-up left out',
    async () => {
      const [oldest = ''] = commands;
      const workspace = readFileSync(join(clone, WORKSPACE), 'utf8');
      writeFileSync(join(clone, WORKSPACE), workspace.replace(/^nodeVersion: .*$/m, ''));
      await setUp(oldest);
      expect(await loadSharp()).toBe('no sharp');
      writeFileSync(join(clone, WORKSPACE), workspace);
      await setUp(oldest);
      expect(await loadSharp()).toBe(process.version);
    },
  );
});
