import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeFolder } from './make-folder.ts';

let home: string;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'make-folder-'));
});
afterAll(() => rm(home, { recursive: true, force: true }));

it('makes what is missing, and leaves what is there', async () => {
  const path = join(home, 'a/b/c');
  await makeFolder(path, 0o700);
  await makeFolder(path, 0o700);
  expect((await stat(join(home, 'a'))).mode & 0o777).toBe(0o700);
  expect((await stat(path)).isDirectory()).toBe(true);
});

it('fails where no folder can be made, also in a folder of the system', async () => {
  await writeFile(join(home, 'file'), '');
  await expect(makeFolder(join(home, 'file'), 0o700)).rejects.toMatchObject({ code: 'EEXIST' });
  await expect(makeFolder(join(home, 'file/a'), 0o700)).rejects.toMatchObject({ code: 'ENOTDIR' });
  // Node's own way never ends here.
  if (process.platform === 'linux')
    await expect(makeFolder('/proc/x/a', 0o700)).rejects.toMatchObject({ code: 'ENOENT' });
});
