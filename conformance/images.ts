import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';

/** More pixels than the server decodes. */
const BOMB_SIDE = 20_000;

/** A single-coloured image of the given size in pixels. */
export function image(
  format: 'png' | 'jpeg' | 'webp' | 'gif',
  width: number,
  height: number,
): Promise<Buffer> {
  const picture = sharp({ create: { width, height, channels: 3, background: { r: 200, g: 30, b: 90 } } });
  return picture.toFormat(format).toBuffer();
}

/** An animated image. */
export async function animation(): Promise<Buffer> {
  const frames = await Promise.all([image('gif', 40, 40), image('gif', 40, 40)]);
  return sharp(frames, { join: { animated: true } })
    .gif()
    .toBuffer();
}

/** Width and height of an image, in pixels. */
export async function sizeOf(bytes: Buffer): Promise<string> {
  const { width, height } = await sharp(bytes).metadata();
  return `${width}x${height}`;
}

/** Files that claim to be images and have no thumbnail. */
export const HOSTILE_IMAGES: readonly (readonly [what: string, bytes: () => Promise<Buffer>])[] = [
  ['nothing', async () => Buffer.alloc(0)],
  ['text', async () => Buffer.from('no picture')],
  ['a signature alone', async () => (await image('png', 1, 1)).subarray(0, 8)],
  ['half a PNG', async () => truncate(await image('png', 500, 500))],
  ['half a JPEG', async () => truncate(await image('jpeg', 500, 500))],
  ['a GIF of nothing', async () => Buffer.from('GIF89a')],
  ['a WebP of nothing', async () => Buffer.from('RIFF\x04\x00\x00\x00WEBP', 'latin1')],
  ['an SVG', async () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')],
  [
    'an SVG that asks for a file',
    async () =>
      Buffer.from(
        '<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]><svg xmlns="http://www.w3.org/2000/svg"><text>&x;</text></svg>',
      ),
  ],
  ['a PDF', async () => Buffer.from('%PDF-1.4')],
  ['a PNG of more pixels than memory', async () => bomb(BOMB_SIDE, BOMB_SIDE)],
  ['a PNG of as many as can be said', async () => bomb(0x7fffffff, 0x7fffffff)],
  ['a PNG of none', async () => bomb(0, 0)],
];

function truncate(bytes: Buffer): Buffer {
  return bytes.subarray(0, bytes.length / 2);
}

/** A small file that claims to contain a large image. */
function bomb(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([1, 0], 8);
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
  const rows = deflateSync(Buffer.alloc(1_000_000));
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', rows),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}
