import {
  appendFile,
  copyFile,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type Config, loadConfig } from '@steward/config';
import { systemClock, systemRandom } from '@steward/kernel';
import { UNFINISHED_STORE_FILE } from '@steward/runtime';
import { registrationMac, sendHttp } from '@steward/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { embeddedSource } from '../backup/embedded-source.ts';
import { MANIFEST_FILE } from '../backup/manifest.ts';
import type { Source } from '../backup/source.ts';
import { takeBackup } from '../backup/take-backup.ts';
import { type RunningServer, startAllInOne } from '../service.ts';
import { findBackup } from './find-backup.ts';
import { restoreEmbedded } from './restore-embedded.ts';

const SECRET = 'secret';
const UPLOAD = '/_proto/media/v3/upload';

let parent: string;
let running: RunningServer[];
beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'steward-restore-'));
  running = [];
});
afterEach(async () => {
  for (const server of running) await server.close();
  await rm(parent, { recursive: true });
});

const configOf = (name: string): Config =>
  loadConfig({
    env: {
      STEWARD_DATA: join(parent, name),
      STEWARD_SERVER_NAME: 'test',
      STEWARD_PORT: '0',
      STEWARD_LOG_LEVEL: 'silent',
      STEWARD_CONFIG_OVERRIDES: JSON.stringify({ registration: { shared_secret: SECRET } }),
    },
  });

/** Starts a server with an administrator, and returns what a test does with it. */
async function startSeeded(name: string) {
  const config = configOf(name);
  await mkdir(config.server.data, { recursive: true });
  const server = await startAllInOne({ config });
  running.push(server);
  const register = '/_service/admin/v1/register';
  const { nonce } = (await sendHttp<{ nonce: string }>(server.url, 'GET', register)).body;
  const account = { nonce, username: 'alice', password: 'wonderland', admin: true };
  const body = { ...account, mac: registrationMac(SECRET, account) };
  const { access_token: token } = (
    await sendHttp<{ access_token: string }>(server.url, 'POST', register, { body })
  ).body;
  return {
    config,
    server,
    token,
    async upload(bytes: string) {
      const sent = { token, rawBody: Buffer.from(bytes) };
      const { content_uri: uri } = (await sendHttp<{ content_uri: string }>(server.url, 'POST', UPLOAD, sent))
        .body;
      return uri.slice('mxc://test/'.length);
    },
    remove: (id: string) => sendHttp(server.url, 'DELETE', `/_service/admin/v1/media/test/${id}`, { token }),
  };
}

/** Backs up a data directory; `afterDocuments` is called between the copies of documents and media. */
async function backUp(config: Config, { afterDocuments = async () => {} } = {}) {
  const source = await embeddedSource(config, systemClock, systemRandom);
  const problems: string[] = [];
  const interrupted: Source = {
    ...source,
    async copyDocuments(folder) {
      const copied = await source.copyDocuments(folder);
      await afterDocuments();
      return copied;
    },
  };
  try {
    const taken = await takeBackup({
      source: interrupted,
      directory: join(parent, 'backups'),
      clock: systemClock,
      random: systemRandom,
      onProblem: (problem) => problems.push(problem),
    });
    return { ...taken, problems };
  } finally {
    await source.close();
  }
}

const restoreTo = async (name: string) =>
  restoreEmbedded(
    await findBackup(join(parent, 'backups'), systemRandom),
    configOf(name),
    systemClock,
    systemRandom,
  );

async function startRestored(name: string): Promise<RunningServer> {
  const server = await startAllInOne({ config: configOf(name) });
  running.push(server);
  return server;
}

it('copies only new bytes of media, and restores what was deleted during it as deleted', async () => {
  const { config, token, upload, remove } = await startSeeded('data');
  const [kept, deleted] = [await upload('the first'), await upload('the second')];
  expect(await backUp(config)).toMatchObject({
    copiedBytes: 19,
    manifest: { media: { blobs: 2, bytes: 19 } },
  });
  const [again, fresh, gone] = [await upload('the first'), await upload('a third'), await upload('a fourth')];
  const second = await backUp(config, {
    async afterDocuments() {
      for (const id of [deleted, gone]) await remove(id);
    },
  });
  // The earlier backup has the bytes of the medium that is deleted now, and so has this one.
  expect(second).toMatchObject({ copiedBytes: 7, problems: [], manifest: { media: { blobs: 4 } } });

  await restoreTo('restored');
  const { url, whenIdle } = await startRestored('restored');
  const statuses = await Promise.all(
    [kept, again, fresh, gone].map(async (id) => {
      const path = `/_proto/client/v1/media/download/test/${id}`;
      return (await sendHttp(url, 'GET', path, { token })).status;
    }),
  );
  expect(statuses).toEqual([200, 200, 200, 404]);
  await whenIdle();
});

it('reports bytes that the server lacks or has damaged, and backs up the rest', async () => {
  const { config, upload } = await startSeeded('data');
  for (const bytes of ['missing', 'damaged']) await upload(bytes);
  const folder = join(config.server.data, 'media');
  const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) =>
    entry.isFile(),
  );
  for (const { parentPath, name } of files) {
    const path = join(parentPath, name);
    if ((await readFile(path, 'utf8')) === 'missing') await rm(path);
    else await writeFile(path, 'DAMAGED');
  }
  const { problems, manifest } = await backUp(config);
  expect(problems.map((problem) => problem.replace(/^.*(?:are)/, ''))).toEqual(
    expect.arrayContaining([' missing', expect.stringContaining(' damaged')]),
  );
  expect(manifest.media.blobs).toBe(1);
  await restoreTo('restored');
});

describe('a restore', () => {
  it('leaves nothing that a server can start on until it is complete, and can be repeated', async () => {
    const { config, token, upload } = await startSeeded('data');
    const id = await upload('the bytes');
    const { folder } = await backUp(config);
    const [content] = (
      await readdir(join(parent, 'backups/media'), { recursive: true, withFileTypes: true })
    ).filter((entry) => entry.isFile());
    const path = join(content?.parentPath ?? '', content?.name ?? '');
    await writeFile(path, 'THE BYTES');
    await expect(restoreTo('restored')).rejects.toThrow(`The content ${content?.name} of media is damaged`);
    await expect(startRestored('restored')).rejects.toThrow(/restored has not been completed/);
    await rm(path);
    await expect(restoreTo('restored')).rejects.toThrow('is missing in the backup');
    // A restore that was killed while it wrote to the store leaves a log.
    const unfinished = join(configOf('restored').server.data, UNFINISHED_STORE_FILE);
    const killed = new DatabaseSync(unfinished);
    killed.exec('PRAGMA journal_mode = WAL; DELETE FROM "user.accounts"');
    await copyFile(`${unfinished}-wal`, join(parent, 'log'));
    killed.close();
    await copyFile(join(parent, 'log'), `${unfinished}-wal`);

    await writeFile(path, 'the bytes');
    await restoreTo('restored');
    const { url } = await startRestored('restored');
    const got = await sendHttp(url, 'GET', `/_proto/client/v1/media/download/test/${id}`, { token });
    expect(got.text).toBe('the bytes');
    expect(folder).toContain('backups');
  });

  it('a restore is refused where there are data', async () => {
    const { config } = await startSeeded('data');
    await backUp(config);
    await restoreTo('restored');
    await expect(restoreTo('restored')).rejects.toThrow('is not empty');
  });

  it('takes the newest complete backup, and none that is damaged or of a later release', async () => {
    const { config } = await startSeeded('data');
    const { folder } = await backUp(config);
    const backups = join(parent, 'backups');
    const find = () => findBackup(backups, systemRandom);
    expect(await find()).toMatchObject({ folder });
    expect(await findBackup(folder, systemRandom)).toMatchObject({ folder });
    const manifest = await readFile(join(folder, MANIFEST_FILE), 'utf8');
    const withManifest = async (changes: object) => {
      await writeFile(join(folder, MANIFEST_FILE), JSON.stringify({ ...JSON.parse(manifest), ...changes }));
      return find();
    };
    await expect(withManifest({ format: 2 })).rejects.toThrow(/format 2.*reads 1/);
    await expect(withManifest({ schema: 99, release: '9.9.9' })).rejects.toThrow(
      /9\.9\.9 \(schema 99\).*\(schema \d/,
    );
    await expect(withManifest({ files: { '../x': { length: 1, sha256: '' } } })).rejects.toThrow('damaged');
    await withManifest({});
    await appendFile(join(folder, 'steward.db'), 'x');
    await expect(find()).rejects.toThrow(/steward\.db is missing or damaged/);
    await truncate(join(folder, MANIFEST_FILE), 10);
    await expect(find()).rejects.toThrow('not JSON');
    await rm(join(folder, MANIFEST_FILE));
    await expect(find()).rejects.toThrow('no complete backup');
  });
});
