import { execFile } from 'node:child_process';
import { globSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** An empty folder in which the packages are installed. */
export interface InstalledPackages extends AsyncDisposable {
  readonly directory: string;
}

/**
 * Builds packages of the workspace, packs them as for the registry, and installs the packed files with npm into an empty
 * folder. Uses what is on this machine only.
 *
 * @param packages their names, each after those that it depends on
 */
export async function installPacked(...packages: readonly string[]): Promise<InstalledPackages> {
  const directory = await mkdtemp(join(tmpdir(), 'steward-published-'));
  try {
    const [pnpm = ''] = globSync('toolchain/pnpm/node_modules/@pnpm/exe.*/pnpm', { cwd: ROOT });
    const env = { ...process.env, PATH: [dirname(process.execPath), process.env.PATH].join(delimiter) };
    for (const name of packages) {
      await run(join(ROOT, pnpm), ['--filter', name, 'pack', '--pack-destination', directory], {
        cwd: ROOT,
        env,
      });
    }
    const packed = (await readdir(directory)).map((file) => `./${file}`);
    const install = ['install', '--offline', '--no-audit', '--no-fund', '--no-package-lock', ...packed];
    await run('npm', install, { cwd: directory, env });
  } catch (error) {
    await rm(directory, { recursive: true, force: true });
    throw error;
  }
  return { directory, [Symbol.asyncDispose]: () => rm(directory, { recursive: true, force: true }) };
}
