import type { Extremity } from '../../core/model/room.ts';

/** The forward extremities of a room in the order of arrival. */
export function byArrival(extremities: readonly Extremity[]): readonly Extremity[] {
  return extremities.toSorted((a, b) => a.arrival - b.arrival);
}
