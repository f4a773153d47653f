import pLimit from 'p-limit';
import sharp from 'sharp';
import { imageFormat } from './image-format.ts';
import type { ThumbnailSize } from './sizes.ts';

/** The largest image that is decoded, in pixels: about 130 MB of memory. */
const MAX_PIXELS = 32_000_000;

/** How long an image may be worked on, in seconds. */
const TIMEOUT_SECONDS = 10;

/** How many images are worked on at once; the platform's pool has other things to do as well. */
const CONCURRENCY = 2;

/** How many wait for their turn at most; each holds the bytes of its image. */
const MAX_WAITING = 8;

/** A thumbnail, in memory: it is small. */
export interface MadeThumbnail {
  readonly type: string;
  readonly bytes: Buffer;
}

/** Makes thumbnails, off the serving thread and few at once. */
export interface Thumbnailer {
  /** Whether another image may wait for its turn. */
  readonly free: boolean;
  /**
   * Makes a thumbnail that is never larger than the original; of a moving image, of its first picture.
   *
   * @param read gives the image when it is its turn
   * @returns `undefined` when it is no image that can be read, or too large a one
   */
  make(read: () => Promise<Buffer>, size: ThumbnailSize): Promise<MadeThumbnail | undefined>;
}

/** Makes a thumbnailer. There is one for the process: the library behind it has one set of settings. */
export function createThumbnailer(): Thumbnailer {
  sharp.cache(false);
  sharp.concurrency(1);
  const limit = pLimit(CONCURRENCY);
  return {
    get free() {
      return limit.pendingCount < MAX_WAITING;
    },
    make: (read, size) =>
      limit(async () => {
        const image = await read();
        const format = imageFormat(image);
        return format === undefined ? undefined : resize(image, format, size);
      }),
  };
}

async function resize(
  image: Buffer,
  format: string,
  { width, height, method }: ThumbnailSize,
): Promise<MadeThumbnail | undefined> {
  const fit = method === 'crop' ? 'cover' : 'inside';
  try {
    const resized = sharp(image, { limitInputPixels: MAX_PIXELS, failOn: 'error', pages: 1 })
      .timeout({ seconds: TIMEOUT_SECONDS })
      .autoOrient()
      .resize({ width, height, fit, withoutEnlargement: true });
    return format === 'jpeg'
      ? { type: 'image/jpeg', bytes: await resized.jpeg().toBuffer() }
      : { type: 'image/png', bytes: await resized.png().toBuffer() };
  } catch {
    // The library says no more than that it could not: the image is broken, too large, or takes too long.
    return undefined;
  }
}
