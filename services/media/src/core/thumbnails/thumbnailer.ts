import pLimit from 'p-limit';
import sharp from 'sharp';
import { imageFormat } from './image-format.ts';
import type { ThumbnailSize } from './sizes.ts';

/** The largest image that is decoded, in pixels; it takes about 130 MB of memory. */
const MAX_PIXELS = 32_000_000;

/** The time limit for one image, in seconds. */
const TIMEOUT_SECONDS = 10;

/** The number of images processed concurrently; small, because other work uses the platform's thread pool, too. */
const CONCURRENCY = 2;

/** The maximum number of waiting images, each of which is held in memory. */
const MAX_WAITING = 8;

/** A thumbnail, held in memory because it is small. */
export interface MadeThumbnail {
  readonly type: string;
  readonly bytes: Buffer;
}

/** Creates thumbnails in other threads, few concurrently. */
export interface Thumbnailer {
  /** Whether another image may wait. */
  readonly free: boolean;
  /**
   * Creates a thumbnail that is never larger than the original; of an animation, from its first frame.
   *
   * @param read returns the image when its processing begins
   * @returns `undefined` when the image is unreadable or too large
   */
  make(read: () => Promise<Buffer>, size: ThumbnailSize): Promise<MadeThumbnail | undefined>;
}

/** Creates a thumbnailer. A process has one, because the settings of the library are global. */
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
    // The library does not report whether the image is broken, too large, or takes too long.
    return undefined;
  }
}
