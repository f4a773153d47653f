import { insufficientStorage } from '@steward/errors';
import type { Clock } from '@steward/kernel';
import type { BlobStore } from './blobs/mod.ts';

/** For how long a measurement is used, in milliseconds. */
const MEASURE_AFTER_MS = 1_000;

/** What the free space depends on. */
export interface FreeSpaceOptions {
  readonly blobs: Pick<BlobStore, 'freeBytes'>;
  readonly clock: Clock;
  /** The space that uploads leave free, in bytes. */
  readonly minFreeBytes: number;
  readonly adminContact: string | undefined;
}

/**
 * Checks that an upload of this many bytes leaves enough space free.
 *
 * @throws insufficientStorage
 */
export type RequireFreeSpace = (bytes: number) => Promise<void>;

/**
 * Keeps space free on the disk of the media. It measures once a second at most, and does not see the bytes that other
 * uploads in progress have yet to write: these, each as long as the longest upload, are what may exceed the limit.
 */
export function keepSpaceFree({
  blobs,
  clock,
  minFreeBytes,
  adminContact,
}: FreeSpaceOptions): RequireFreeSpace {
  let measured: { readonly ts: number; readonly free: Promise<number> } | undefined;
  return async (bytes) => {
    if (minFreeBytes === 0) return;
    const now = clock.now();
    // Uploads during a measurement wait for it, because the one before may be old.
    if (!measured || now - measured.ts >= MEASURE_AFTER_MS) measured = { ts: now, free: blobs.freeBytes() };
    if ((await measured.free) - bytes < minFreeBytes) throw insufficientStorage(adminContact);
  };
}
