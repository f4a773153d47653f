import { toRefusal } from '@steward/errors';
import { createFakeClock } from '@steward/testing';
import { expect, it } from 'vitest';
import { keepSpaceFree } from './free-space.ts';

function prepared(minFreeBytes: number) {
  const clock = createFakeClock();
  const disk = { free: 100, measured: 0 };
  const blobs = {
    async freeBytes() {
      disk.measured++;
      return disk.free;
    },
  };
  const requireFree = keepSpaceFree({ blobs, clock, minFreeBytes, adminContact: undefined });
  const statusOf = (bytes: number) =>
    requireFree(bytes).then(
      () => 200,
      (error: unknown) => toRefusal(error).status,
    );
  return { clock, disk, statusOf };
}

it('refuses an upload that would leave too little space', async () => {
  const { statusOf } = prepared(60);
  expect([await statusOf(40), await statusOf(41)]).toEqual([200, 507]);
});

it('measures once a second', async () => {
  const { clock, disk, statusOf } = prepared(60);
  await statusOf(1);
  disk.free = 0;
  clock.advance(999);
  expect(await statusOf(1)).toBe(200);
  clock.advance(1);
  expect(await statusOf(1)).toBe(507);
  expect(disk.measured).toBe(2);
});

it('refuses all uploads that come during a measurement', async () => {
  const { clock, disk, statusOf } = prepared(60);
  disk.free = 0;
  expect(await Promise.all([statusOf(1), statusOf(1)])).toEqual([507, 507]);
  disk.free = 100;
  clock.advance(1_000);
  expect(await Promise.all([statusOf(1), statusOf(1)])).toEqual([200, 200]);
  expect(disk.measured).toBe(2);
});

it('does not measure when the disk may become full', async () => {
  const { disk, statusOf } = prepared(0);
  disk.free = 0;
  expect([await statusOf(1), disk.measured]).toEqual([200, 0]);
});
