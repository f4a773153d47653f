/** A size of thumbnails (client-plane.md 7.12). */
export interface ThumbnailSize {
  /** In pixels. */
  readonly width: number;
  readonly height: number;
  /** Whether the image fills the size, or fits into it. */
  readonly method: 'crop' | 'scale';
}

/** The sizes, smallest first: few, so that requests cannot fill a disk with thumbnails of one image. */
export const SIZES: readonly ThumbnailSize[] = [
  { width: 32, height: 32, method: 'crop' },
  { width: 96, height: 96, method: 'crop' },
  { width: 320, height: 240, method: 'scale' },
  { width: 640, height: 480, method: 'scale' },
  { width: 800, height: 600, method: 'scale' },
];

/**
 * Returns the size for a request: the smallest of its method that is at least as large, else the smallest of any method,
 * else the largest.
 */
export function sizeFor(requested: ThumbnailSize): ThumbnailSize {
  const enough = SIZES.filter(({ width, height }) => width >= requested.width && height >= requested.height);
  const size = enough.find(({ method }) => method === requested.method) ?? enough[0] ?? SIZES.at(-1);
  return size as ThumbnailSize;
}

/** Returns the name of a size in the keys of blobs. */
export function nameOfSize({ width, height, method }: ThumbnailSize): string {
  return `${width}x${height}-${method}`;
}
