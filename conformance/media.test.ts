import { createHash } from 'node:crypto';
import { request as openRequest } from 'node:http';
import { type HttpRequest, path } from '@steward/testing';
import { describe, expect, it } from 'vitest';
import { chapter } from './chapter.ts';
import { type Bytes, getBytes } from './get-bytes.ts';
import { animation, HOSTILE_IMAGES, image, sizeOf } from './images.ts';
import { refusal } from './refusal.ts';
import { MAX_UPLOAD_BYTES, openServer } from './shared-settings.ts';

const UPLOAD = '/_proto/media/v3/upload';
const NOT_FOUND = refusal(404, 'M_NOT_FOUND');

chapter(
  '7.12 Media',
  (world, { isOneProcess }) => {
    const upload = async (
      bytes: string | Uint8Array,
      type = 'application/octet-stream',
      query: HttpRequest['query'] = '',
    ) => {
      const request = { rawBody: bytes, headers: { 'content-type': type }, query };
      const { status, body } = await world.admin.post<{ content_uri: string }>(UPLOAD, request);
      expect(status).toBe(200);
      const [, mediaId = ''] = /^mxc:\/\/test\/([A-Za-z]{24})$/.exec(body.content_uri) ?? [];
      expect(mediaId).not.toBe('');
      return mediaId;
    };
    const get = (target: string, headers: Record<string, string> = {}, verb = 'GET'): Promise<Bytes> =>
      getBytes(world.running.url, target, { authorization: `Bearer ${world.admin.token}`, ...headers }, verb);
    const download = (mediaId: string) => path`/_proto/client/v1/media/download/test/${mediaId}`;
    const thumbnail = (mediaId: string, query = 'width=32&height=32&method=crop') =>
      `${path`/_proto/client/v1/media/thumbnail/test/${mediaId}`}?${query}`;

    describe('uploading', () => {
      it.each([
        ['nothing', Buffer.alloc(0)],
        ['one byte', Buffer.from('x')],
        ['text of many chunks', Buffer.alloc(200_001, 'some text ')],
        ['all bytes', Buffer.from(Array.from({ length: 256 }, (_, n) => n))],
        ['the largest accepted size', Buffer.alloc(MAX_UPLOAD_BYTES, 'y')],
      ])('returns %s unchanged', async (_, bytes) => {
        const { status, body, headers } = await get(download(await upload(bytes)));
        expect(status).toBe(200);
        expect(headers['content-length']).toBe(String(bytes.length));
        expect(createHash('sha256').update(body).digest('hex')).toBe(
          createHash('sha256').update(bytes).digest('hex'),
        );
      });

      it.each(['v3', 'r0', 'v1'])(
        'uploading media is served at %s, and accepts a token in the query',
        async (version) => {
          const user = await world.user();
          const target = `/_matrix/media/${version}/upload?access_token=${user.token}`;
          const { status, body } = await world.http<{ content_uri: string }>('POST', target, {
            rawBody: 'x',
          });
          expect(status).toBe(200);
          const mediaId = body.content_uri.slice('mxc://test/'.length);
          expect((await get(`/_matrix/media/${version}/download/test/${mediaId}`)).body.toString()).toBe('x');
        },
      );

      it.each([
        ['without a token', {}, 401, 'M_MISSING_TOKEN'],
        ['with an unknown token', { token: 'nobody' }, 401, 'M_UNKNOWN_TOKEN'],
      ])('uploading media is refused %s, small or large', async (_, request, status, errcode) => {
        for (const rawBody of ['x', Buffer.alloc(MAX_UPLOAD_BYTES)]) {
          expect(await world.http('POST', UPLOAD, { ...request, rawBody })).toMatchObject(
            refusal(status, errcode),
          );
        }
      });

      it('uploading media is refused to guests', async () => {
        const user = await world.user();
        await world.seed?.account(user.userId, { is_guest: true });
        if (!world.seed) return;
        expect(await user.post(UPLOAD, { rawBody: 'x' })).toMatchObject(
          refusal(403, 'M_GUEST_ACCESS_FORBIDDEN'),
        );
      });

      it('uploading media is refused without a length, and above the size limit', async () => {
        const chunked = { rawBody: 'x', headers: { 'transfer-encoding': 'chunked' } };
        expect(await world.admin.post(UPLOAD, chunked)).toMatchObject(refusal(400, 'M_UNKNOWN'));
        const large = { rawBody: Buffer.alloc(MAX_UPLOAD_BYTES + 1) };
        expect(await world.admin.post(UPLOAD, large)).toMatchObject(refusal(413, 'M_TOO_LARGE'));
      });

      it('stores nothing when the connection is lost', async () => {
        const before = await countMedia();
        for (const sentBytes of [0, 1, 100_000]) {
          await new Promise<void>((resolve) => {
            const headers = { authorization: `Bearer ${world.admin.token}`, 'content-length': '200000' };
            const { hostname, port } = new URL(world.running.url);
            const sent = openRequest({ hostname, port, method: 'POST', path: UPLOAD, headers, agent: false });
            sent.on('error', () => resolve());
            sent.write(Buffer.alloc(sentBytes, 'z'), () =>
              setImmediate(() => sent.destroy(new Error('cut'))),
            );
          });
        }
        await upload('after');
        expect(await countMedia()).toBe(before + 1);
      });

      const countMedia = async () => {
        const list = path`/_service/admin/v1/users/${world.admin.userId}/media`;
        return (await world.admin.get<{ total: number }>(list)).body.total;
      };
    });

    describe('downloading', () => {
      it('downloading media is public on the legacy paths, and requires a token on the others', async () => {
        const mediaId = await upload('x');
        expect((await getBytes(world.running.url, `/_proto/media/v3/download/test/${mediaId}`)).status).toBe(
          200,
        );
        expect(await world.http('GET', download(mediaId))).toMatchObject(refusal(401, 'M_MISSING_TOKEN'));
      });

      it('has the documented headers', async () => {
        const { headers } = await get(download(await upload('x', 'text/plain', { filename: 'a b.txt' })));
        expect(headers).toMatchObject({
          'content-type': 'text/plain; charset=UTF-8',
          'content-length': '1',
          'content-disposition': 'inline; filename="a b.txt"',
          'content-security-policy': expect.stringMatching(/^sandbox; default-src 'none';/),
          'cross-origin-resource-policy': 'cross-origin',
          'x-content-type-options': 'nosniff',
          'referrer-policy': 'no-referrer',
          'cache-control': 'public,max-age=86400,s-maxage=0,proxy-revalidate',
          'accept-ranges': 'bytes',
          'access-control-allow-origin': '*',
          etag: '"1"',
        });
      });

      it.each([
        ['text/html', 'text/html; charset=UTF-8', 'attachment'],
        ['image/svg+xml', 'image/svg+xml', 'attachment'],
        ['IMAGE/PNG', 'IMAGE/PNG', 'inline'],
        ['text/plain; charset=ascii', 'text/plain; charset=ascii', 'inline'],
        ['no type', 'application/octet-stream', 'attachment'],
        ['text/plain\x80', 'application/octet-stream', 'attachment'],
        [`a/${'b'.repeat(1_000)}`, 'application/octet-stream', 'attachment'],
      ])('returns %j as %s, %s', async (stated, type, how) => {
        const { headers } = await get(download(await upload('x', stated)));
        expect(headers).toMatchObject({ 'content-type': type, 'content-disposition': how });
      });

      it.each([
        ['plain.txt', 'attachment; filename="plain.txt"'],
        ['quote".txt', "attachment; filename*=UTF-8''quote%22.txt"],
        ['ä😀.txt', "attachment; filename*=UTF-8''%C3%A4%F0%9F%98%80.txt"],
        ["it's (1)*.txt", `attachment; filename="it's (1)*.txt"`],
        ["ü's (1)*.txt", "attachment; filename*=UTF-8''%C3%BC%27s%20%281%29%2A.txt"],
        ['a\r\nSet-Cookie: b', 'attachment; filename="aSet-Cookie: b"'],
        ['../../etc/passwd', 'attachment; filename="../../etc/passwd"'],
        ['x'.repeat(1_000), `attachment; filename="${'x'.repeat(255)}"`],
      ])('sends the name %j, from the upload or the path', async (filename, how) => {
        const named = await get(download(await upload('x', 'a/b', { filename })));
        expect(named.headers['content-disposition']).toBe(how);
        const inPath = path`${filename}`;
        const renamed = await get(`${download(await upload('x', 'a/b', { filename: 'other' }))}/${inPath}`);
        expect(renamed.headers['content-disposition']).toBe(how);
      });

      it.each([
        ['bytes=0-0', 206, '0', 'bytes 0-0/10'],
        ['bytes=2-4', 206, '234', 'bytes 2-4/10'],
        ['bytes=7-', 206, '789', 'bytes 7-9/10'],
        ['bytes=7-1000', 206, '789', 'bytes 7-9/10'],
        ['bytes=-2', 206, '89', 'bytes 8-9/10'],
        ['bytes=-1000', 206, '0123456789', 'bytes 0-9/10'],
        ['bytes=10-', 416, '', 'bytes */10'],
        ['bytes=-0', 416, '', 'bytes */10'],
        ['bytes=4-2', 200, '0123456789', undefined],
        ['bytes=0-1,3-4', 200, '0123456789', undefined],
        ['lines=1-2', 200, '0123456789', undefined],
      ])('Range %s', async (range, status, text, contentRange) => {
        const { status: actual, body, headers } = await get(download(await upload('0123456789')), { range });
        expect({ status: actual, text: body.toString(), range: headers['content-range'] }).toEqual({
          status,
          text,
          range: contentRange,
        });
        expect(headers['content-length']).toBe(String(text.length));
      });

      it('sends a range across chunks, and the whole file if the range has another unit', async () => {
        const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, n) => n % 251));
        const mediaId = await upload(bytes);
        const range = 'bytes=65000-200000';
        const part = await get(download(mediaId), { range, 'if-range': '"1"' });
        expect(part.body.equals(bytes.subarray(65_000, 200_001))).toBe(true);
        expect((await get(download(mediaId), { range, 'if-range': '"2"' })).status).toBe(200);
      });

      it('sends no body for HEAD', async () => {
        const mediaId = await upload('x'.repeat(1_000), 'image/png');
        const { status, body, headers } = await get(download(mediaId), {}, 'HEAD');
        expect({ status, length: body.length }).toEqual({ status: 200, length: 0 });
        expect(headers).toMatchObject({ 'content-length': '1000', 'content-type': 'image/png' });
        expect((await get(download('unknown'), {}, 'HEAD')).status).toBe(404);
      });

      it.each(['"1"', 'W/"1"', '*', '"0", "1"'])(
        'is answered with 304 if the client has the file: %s',
        async (known) => {
          const { status, body } = await get(download(await upload('x')), { 'if-none-match': known });
          expect({ status, length: body.length }).toEqual({ status: 304, length: 0 });
        },
      );

      it.each([
        ['an unknown id', '/_proto/client/v1/media/download/test/unknown'],
        ['another server', '/_proto/client/v1/media/download/elsewhere/x'],
        ['a path outside the store', '/_proto/client/v1/media/download/test/..%2F..%2F..%2Fetc%2Fpasswd'],
        ['another path outside the store', '/_proto/client/v1/media/download/..%2F../%00'],
      ])('downloading media is refused for %s', async (_, target) => {
        const known = { headers: { 'if-none-match': '"1"' } };
        expect(await world.admin.get(target, known)).toMatchObject(NOT_FOUND);
        expect(await world.admin.get(`${target}?timeout_ms=1&allow_remote=true`)).toMatchObject(NOT_FOUND);
      });
    });

    describe('thumbnails', () => {
      it.each([
        ['png', 'image/png'],
        ['jpeg', 'image/jpeg'],
        ['webp', 'image/png'],
        ['gif', 'image/png'],
      ] as const)('of %s', async (format, type) => {
        const mediaId = await upload(await image(format, 1_000, 500), `image/${format}`);
        for (const [query, size] of [
          ['width=32&height=32&method=crop', '32x32'],
          ['width=33&height=20&method=crop', '96x96'],
          ['width=1&height=1', '320x160'],
          ['width=320&height=240&method=scale', '320x160'],
          ['width=321&height=1&method=scale', '640x320'],
          ['width=5000&height=5000', '800x400'],
        ] as const) {
          const { status, headers, body } = await get(thumbnail(mediaId, query));
          expect({ status, type: headers['content-type'] }).toEqual({ status: 200, type });
          expect(await sizeOf(body), query).toBe(size);
          expect((await get(thumbnail(mediaId, query))).body.equals(body)).toBe(true);
        }
      });

      it('thumbnails are never larger than the original, and are not animated', async () => {
        const small = await get(
          thumbnail(await upload(await image('png', 10, 20), 'image/png'), 'width=800&height=600'),
        );
        expect(await sizeOf(small.body)).toBe('10x20');
        const still = await get(
          thumbnail(await upload(await animation(), 'image/gif'), 'width=32&height=32'),
        );
        expect(still).toMatchObject({ status: 200, headers: { 'content-type': 'image/png' } });
      });

      it('thumbnails are generated once for concurrent requests', async () => {
        const mediaId = await upload(await image('png', 800, 800), 'image/png');
        const all = await Promise.all(Array.from({ length: 20 }, () => get(thumbnail(mediaId))));
        expect(new Set(all.map(({ status }) => status))).toEqual(new Set([200]));
        expect(new Set(all.map(({ body }) => body.toString('hex'))).size).toBe(1);
      });

      it.each([
        ['', 'M_MISSING_PARAM'],
        ['width=32', 'M_MISSING_PARAM'],
        ['height=32', 'M_MISSING_PARAM'],
        ['width=a&height=32', 'M_INVALID_PARAM'],
        ['width=32&height=1.5', 'M_INVALID_PARAM'],
        ['width=0&height=32', 'M_INVALID_PARAM'],
        ['width=32&height=-1', 'M_INVALID_PARAM'],
        ['width=32&height=99999999999', 'M_INVALID_PARAM'],
        ['width=32&height=32&method=stretch', 'M_INVALID_PARAM'],
      ])('thumbnails are refused for %j', async (query, errcode) => {
        const mediaId = await upload('x');
        expect(await world.admin.get(thumbnail(mediaId, query))).toMatchObject(refusal(400, errcode));
        const old = `/_proto/media/r0/thumbnail/test/${mediaId}?${query}`;
        expect(await world.http('GET', old)).toMatchObject(refusal(400, errcode));
      });

      it('of a file that is both image and HTML contain the image only', async () => {
        const page = Buffer.from('<script>alert(1)</script>');
        const both = Buffer.concat([await image('png', 100, 100), page]);
        const mediaId = await upload(both, 'text/html');
        expect((await get(download(mediaId))).headers).toMatchObject({
          'content-disposition': 'attachment',
          'x-content-type-options': 'nosniff',
          'content-security-policy': expect.stringMatching(/^sandbox;/),
        });
        const small = await get(thumbnail(mediaId));
        expect(small.status).toBe(200);
        expect(small.body.includes(page)).toBe(false);
      });

      it.each(HOSTILE_IMAGES)('do not exist for %s', async (_, bytes) => {
        const mediaId = await upload(await bytes(), 'image/png');
        expect(await world.admin.get(thumbnail(mediaId))).toMatchObject(NOT_FOUND);
        expect((await get(download(mediaId))).status).toBe(200);
      });
    });

    it('media are uploaded to a content URI that was created before, for which downloads wait', async () => {
      const created = await world.admin.post<{ content_uri: string; unused_expires_at: number }>(
        '/_proto/media/v1/create',
        {},
      );
      expect({ status: created.status, body: created.body }).toEqual({
        status: 200,
        body: {
          content_uri: expect.stringMatching(/^mxc:\/\/test\/[A-Za-z]{24}$/),
          unused_expires_at: expect.any(Number),
        },
      });
      const mediaId = created.body.content_uri.slice('mxc://test/'.length);
      const inTime = async (ms: number) => {
        const { status, body } = await get(`${download(mediaId)}?timeout_ms=${ms}`);
        return { status, text: body.toString() };
      };
      expect(await inTime(1)).toMatchObject({
        status: 504,
        text: expect.stringContaining('M_NOT_YET_UPLOADED'),
      });
      expect(await get(`${thumbnail(mediaId)}&timeout_ms=1`)).toMatchObject({ status: 504 });
      const waiting = inTime(30_000);
      const target = path`/_proto/media/v3/upload/test/${mediaId}`;
      const other = await world.user();
      expect(await other.put(target, { rawBody: 'x' })).toMatchObject(refusal(403, 'M_FORBIDDEN'));
      const request = {
        rawBody: 'some text',
        headers: { 'content-type': 'text/plain' },
        query: { filename: 'a.txt' },
      };
      expect(await world.admin.put(target, request)).toMatchObject({ status: 200, body: {} });
      expect(await waiting).toEqual({ status: 200, text: 'some text' });
      expect((await get(download(mediaId))).headers['content-disposition']).toBe('inline; filename="a.txt"');
      expect(await world.admin.put(target, request)).toMatchObject(refusal(409, 'M_CANNOT_OVERWRITE_MEDIA'));
    });

    it('the upload limit is published', async () => {
      for (const target of [
        '/_proto/client/v1/media/config',
        '/_proto/media/v3/config',
        '/_proto/media/r0/config',
      ]) {
        expect(await world.admin.get(target)).toMatchObject({
          status: 200,
          text: JSON.stringify({ 'm.upload.size': MAX_UPLOAD_BYTES }),
        });
      }
    });

    it.runIf(isOneProcess)(
      'media survive a restart, and new ones require a token once configured',
      async () => {
        const old = await upload('old');
        await world.restart({ config: { media: { ...openServer.media, legacy_download: 'not_found' } } });
        const fresh = await upload(await image('png', 50, 50), 'image/png');
        const publicly = (what: string) => world.http('GET', `/_proto/media/v3/${what}`);
        expect((await publicly(`download/test/${old}`)).text).toBe('old');
        expect(await publicly(`download/test/${fresh}`)).toMatchObject(NOT_FOUND);
        expect(await publicly(`thumbnail/test/${fresh}?width=32&height=32`)).toMatchObject(NOT_FOUND);
        expect((await get(download(fresh))).status).toBe(200);
      },
    );
  },
  { config: openServer },
);
