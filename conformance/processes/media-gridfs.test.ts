import { path } from '@steward/testing';
import { expect, it } from 'vitest';
import { chapter } from '../chapter.ts';
import { getBytes } from '../get-bytes.ts';
import { image, sizeOf } from '../images.ts';
import { refusal } from '../refusal.ts';

const config = { media: { store: 'gridfs' } };

chapter(
  '7.12 Media in GridFS',
  (world) => {
    it('media in GridFS are returned whole, in ranges and as thumbnails, until they are deleted', async () => {
      const picture = await image('png', 1_000, 1_000);
      const bytes = Buffer.concat([picture, Buffer.alloc(600_000, 'padding')]);
      const { body } = await world.admin.post<{ content_uri: string }>('/_proto/media/v3/upload', {
        rawBody: bytes,
        headers: { 'content-type': 'image/png' },
      });
      const mediaId = body.content_uri.slice('mxc://test/'.length);
      const get = (what: string, headers: Record<string, string> = {}) =>
        getBytes(world.running.url, `/_proto/media/v3/${what}`, headers);
      const download = path`download/test/${mediaId}`;
      const thumbnail = `${path`thumbnail/test/${mediaId}`}?width=96&height=96&method=crop`;
      expect((await get(download)).body.equals(bytes)).toBe(true);
      const part = await get(download, { range: 'bytes=260000-530000' });
      expect(part.body.equals(bytes.subarray(260_000, 530_001))).toBe(true);
      const made = await get(thumbnail);
      expect(await sizeOf(made.body)).toBe('96x96');
      expect((await get(thumbnail)).body.equals(made.body)).toBe(true);

      await world.admin.delete(path`/_service/admin/v1/media/test/${mediaId}`);
      for (const target of [download, thumbnail]) {
        const gone = await world.http('GET', `/_proto/media/v3/${target}`);
        expect(gone).toMatchObject(refusal(404, 'M_NOT_FOUND'));
      }
    });
  },
  { config },
);
