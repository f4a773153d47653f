import { expect, it } from 'vitest';
import { counted, progressOf } from './progress.ts';

/** A progress whose time is set. */
function createProgress() {
  const lines: string[] = [];
  const time = { now: 0 };
  const progress = progressOf('backup', { print: (line) => void lines.push(line), now: () => time.now });
  return { progress, lines, time };
}

it('shows how many of how many, and how fast, every two seconds and at the end', async () => {
  const { progress, lines, time } = createProgress();
  const work = progress(
    'media',
    async (step) => {
      for await (const after of counted([1_000, 2_000, 3_999, 4_000, 5_000], step)) time.now = after;
      return 'done';
    },
    5,
  );
  expect(await work).toBe('done');
  expect(lines).toEqual([
    'backup: media: 3 of 5, 2/s',
    'backup: media: 5 of 5, 1/s',
    'backup: media: 5 of 5, 1/s',
  ]);
});

it('shows nothing of short work', async () => {
  const { progress, lines, time } = createProgress();
  await progress('media', async (step) => {
    time.now = 1_999;
    step.add(100);
  });
  expect(lines).toEqual([]);
});

it('shows the time of work in which nothing is counted, and no end of failed work', async () => {
  const { progress, lines, time } = createProgress();
  const failing = progress('the copy of the documents', async (step) => {
    time.now = 2_500;
    step.add(0);
    throw new Error('broken');
  });
  await expect(failing).rejects.toThrow('broken');
  expect(lines).toEqual(['backup: the copy of the documents: 3 s']);
});
