/** A size that thumbnails are made in (client-plane.md 7.12). */
export interface ThumbnailSize {
  /** In pixels. */
  readonly width: number;
  readonly height: number;
  /** Whether it is filled, or fitted into. */
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
 * The size that serves a request: the smallest of its method that is no smaller, else the smallest of any
 * method, else the largest.
 */
export function sizeFor(requested: ThumbnailSize): ThumbnailSize {
  const enough = SIZES.filter(({ width, height }) => width >= requested.width && height >= requested.height);
  const size = enough.find(({ method }) => method === requested.method) ?? enough[0] ?? SIZES.at(-1);
  return size as ThumbnailSize;
}

/** How a size is called in the keys of blobs. */
export function nameOfSize({ width, height, method }: ThumbnailSize): string {
  return `${width}x${height}-${method}`;
}
