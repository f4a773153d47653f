import type { Planned } from '@steward/plans';
import type { Filter } from '@steward/store';
import type { Deps } from '../../core/deps.ts';
import type { Media } from '../../core/model/media.ts';

/**
 * What a quarantine of media would change.
 *
 * @param selected selects them
 * @param by the administrator, as whom quarantined media record
 * @param atLeast whether further ones are quarantined: of the same content, or in later events of a room
 */
export async function quarantinePlan(
  { media }: Pick<Deps, 'media'>,
  selected: Filter<Media>,
  by: string,
  atLeast: boolean,
): Promise<Planned> {
  const count = await media.countDocuments({ $and: [selected, { quarantined_by: { $ne: by } }] });
  return { changes: [{ kind: 'media', change: 'changed', count, atLeast }] };
}
