import { chmod, mkdir, mkdtemp, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makePrivate } from './make-private.ts';

it('takes files away from other users, at any depth, and says which', async () => {
  const parent = await mkdtemp(join(tmpdir(), 'steward-private-'));
  const directory = join(parent, 'data');
  await mkdir(join(directory, 'media/ab'), { recursive: true });
  const write = async (name: string, mode: number) => {
    await writeFile(join(directory, name), 'text');
    await chmod(join(directory, name), mode);
  };
  await write('steward.db', 0o644);
  await write('lock.db', 0o600);
  await write('audit_signing_key.pem', 0o440);
  await write('media/ab/abc', 0o666);
  await write('../elsewhere', 0o644);
  await symlink('../elsewhere', join(directory, 'link'));
  for (const folder of ['.', 'media', 'media/ab']) await chmod(join(directory, folder), 0o755);
  const lines: string[] = [];
  const { folders } = await makePrivate(directory, (line) => lines.push(line));
  expect(lines).toEqual([expect.stringMatching(/no longer can: .*steward\.db/)]);
  await folders;
  expect(lines).toEqual([lines[0], expect.stringContaining('no longer can: media/ab, media/ab/abc')]);
  const modes: Record<string, string> = {};
  for (const name of await readdir(directory, { recursive: true }))
    modes[name] = ((await stat(join(directory, name))).mode & 0o777).toString(8);
  expect(modes).toEqual({
    'steward.db': '600',
    'lock.db': '600',
    'audit_signing_key.pem': '400',
    media: '700',
    'media/ab': '700',
    'media/ab/abc': '600',
    link: '644',
  });
  lines.splice(0);
  await (await makePrivate(directory, (line) => lines.push(line))).folders;
  expect(lines).toEqual([]);
  await rm(parent, { recursive: true });
});
