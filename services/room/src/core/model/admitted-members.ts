import { type Random, randomId } from '@steward/kernel';
import type { EventDocument } from './event-document.ts';
import type { RecheckOfMembers } from './pending-effects.ts';

/** The users of this server whom a commit admits to a room, and the effect that rechecks them. */
export interface AdmittedMembers {
  readonly userIds: readonly string[];
  readonly recheck: RecheckOfMembers;
}

/** The members whom a commit with these events admits; `undefined` for none. */
export function membersAdmittedBy(
  { random }: { readonly random: Random },
  admitted: readonly { readonly arrival: number; readonly document: EventDocument }[],
): AdmittedMembers | undefined {
  const entries = admitted.flatMap(({ arrival, document }) => {
    const userId = memberAdmittedBy(document);
    return userId === undefined ? [] : [{ userId, arrival }];
  });
  const [first] = entries;
  const last = entries.at(-1);
  if (!first || !last) return undefined;
  const recheck: RecheckOfMembers = {
    id: randomId(random),
    kind: 'newcomers',
    from: first.arrival,
    to: last.arrival,
  };
  return { userIds: entries.map(({ userId }) => userId), recheck };
}

/** The user whom an event admits, see `EventDocument.newcomer`; `undefined` for any other event. */
export function memberAdmittedBy({ newcomer, state_key }: EventDocument): string | undefined {
  return newcomer ? state_key : undefined;
}
