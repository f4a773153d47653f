import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { randomId, systemRandom } from '@steward/kernel';
import { isDue, registrationMac, requireEngine, sendHttp } from '@steward/testing';
import { describe, expect, it } from 'vitest';
import { onSite, type Settings } from '../fixtures/processes.ts';
import { moveMedia } from './move-media.ts';

const ADMIN = '/_service/admin/v1';
const SECRET = 'secret';
const MEDIA = 30;
/** In bytes. */
const SIZE = 20_000;
/** So slow that the server is killed before the end. */
const BYTES_PER_SECOND = 50_000;

/** What moves media and stores them. */
const GUARDS = [
  'services/all-in-one/src/move-media/',
  'services/media/src/core/blobs/',
  'services/media/src/verbs/move/',
];

const s3 = requireEngine('s3');

async function registerAdmin(url: string): Promise<string> {
  const path = `${ADMIN}/register`;
  const { nonce } = (await sendHttp(url, 'GET', path)).body as { nonce: string };
  const account = { nonce, username: 'alice', password: 'wonderland', admin: true };
  const body = { ...account, mac: registrationMac(SECRET, account) };
  return ((await sendHttp(url, 'POST', path, { body })).body as { access_token: string }).access_token;
}

describe.skipIf(s3.url === undefined)(`with ${s3.title}`, () => {
  it.skipIf(!isDue('move of media', GUARDS))(
    'moves the media of a server that is killed in the middle',
    { timeout: 240_000 },
    onSite(async ({ data, start }) => {
      const { origin, pathname } = new URL(s3.url ?? '');
      const inFiles: Settings = {
        STEWARD_CONFIG_OVERRIDES: JSON.stringify({ registration: { shared_secret: SECRET } }),
      };
      const inBucket = {
        ...inFiles,
        AWS_ACCESS_KEY_ID: 'test',
        AWS_SECRET_ACCESS_KEY: 'test',
        STEWARD_MEDIA_STORE: 's3',
        STEWARD_S3_BUCKET: pathname.slice(1),
        STEWARD_S3_ENDPOINT: origin,
        STEWARD_S3_PREFIX: `${randomId(systemRandom)}/`,
      } as Settings;
      const moving = { ...inBucket, STEWARD_MEDIA_SECOND_STORE: 'file' };
      const files = async () => {
        const entries = await readdir(join(data, 'media'), { recursive: true, withFileTypes: true });
        return entries.filter((entry) => entry.isFile()).length;
      };

      let server = await start(inFiles);
      const token = await registerAdmin(server.url);
      const stored = new Map<string, Buffer>();
      const upload = async (bytes: Buffer) => {
        const reply = await sendHttp(server.url, 'POST', '/_proto/media/v3/upload', {
          token,
          rawBody: bytes,
        });
        stored.set((reply.body as { content_uri: string }).content_uri, bytes);
      };
      for (let n = 0; n < MEDIA; n++) await upload(Buffer.alloc(SIZE, `medium ${n}`));
      const move = () =>
        moveMedia({ url: server.url, token, bytesPerSecond: undefined, onProgress: () => {} });
      await expect(move()).rejects.toThrow('name no second store');
      const restart = async (settings: Settings) => {
        server.kill('SIGKILL');
        await server.ended;
        server = await start(settings);
      };
      const expectAll = async () => {
        for (const [uri, bytes] of stored) {
          const at = `/_proto/client/v1/media/download/${uri.slice('mxc://'.length)}`;
          const reply = await fetch(new URL(at, server.url), {
            headers: { authorization: `Bearer ${token}` },
          });
          expect(Buffer.from(await reply.arrayBuffer()).equals(bytes), uri).toBe(true);
        }
      };

      await restart(moving);
      await expectAll();
      const order = { token, body: { bytes_per_second: BYTES_PER_SECOND } };
      const { body } = await sendHttp(server.url, 'POST', `${ADMIN}/media/move`, order);
      const { task_id: slow } = body as { task_id: string };
      await expect.poll(files, { timeout: 120_000 }).toBeLessThan(MEDIA);
      await upload(Buffer.from('uploaded during the move'));
      await restart(moving);
      await expectAll();
      await sendHttp(server.url, 'POST', `${ADMIN}/tasks/${slow}/cancel`, { token });
      expect(await move()).toMatchObject({ missing: 0, damaged: 0 });
      expect(await files()).toBe(0);
      await expectAll();
    }),
  );
});
