import { MAX_PENDING_EFFECTS } from '@steward/service';
import { Conflict } from '@steward/store';
import type { Room } from '../model/room.ts';

/**
 * Requires that a room admits further pending effects. It does not while the rechecks of many members are pending; a
 * retry waits for them.
 *
 * @throws Conflict on `version`
 */
export function requireCapacity({ pending = [] }: Room, effects: number): void {
  if (pending.length + effects > MAX_PENDING_EFFECTS) throw new Conflict('version');
}
