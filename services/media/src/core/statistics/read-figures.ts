import { type Figures, taskFigures } from '@steward/statistics';
import type { Deps } from '../deps.ts';

/** Reads the current figures of media: sums over the users who have media, which are far fewer than the media. */
export async function readFigures({
  usage,
  tasks,
}: Pick<Deps, 'usage' | 'tasks'>): Promise<Figures<'media'>> {
  const [count, bytes, backlog] = await Promise.all([
    usage.totals({ facet: 'some' }, 'count'),
    usage.totals({ facet: 'some' }, 'length'),
    tasks.backlog(),
  ]);
  return { local_media: count.sum, local_media_bytes: bytes.sum, ...taskFigures(backlog) };
}
