import { type Random, randomId } from '@steward/kernel';
import type { EventDocument } from './event-document.ts';
import type { LookOwed } from './pending-effects.ts';

/** Users of this server whom one commit has let into a room, and what it owes for them. */
export interface Newcomers {
  readonly userIds: readonly string[];
  readonly owed: LookOwed;
}

/** Those whom a commit lets in that admits some events; `undefined` for nobody. */
export function newcomersAmong(
  { random }: { readonly random: Random },
  admitted: readonly { readonly arrival: number; readonly document: EventDocument }[],
): Newcomers | undefined {
  const entries = admitted.flatMap(({ arrival, document }) => {
    const userId = newcomerOf(document);
    return userId === undefined ? [] : [{ userId, arrival }];
  });
  const [first] = entries;
  const last = entries.at(-1);
  if (!first || !last) return undefined;
  const owed: LookOwed = {
    id: randomId(random),
    kind: 'newcomers',
    from: first.arrival,
    to: last.arrival,
  };
  return { userIds: entries.map(({ userId }) => userId), owed };
}

/** The user whom an event lets in, see `EventDocument`; `undefined` for any other event. */
export function newcomerOf({ newcomer, state_key }: EventDocument): string | undefined {
  return newcomer ? state_key : undefined;
}
