import { refuse } from '@steward/errors';
import type { Requester } from '@steward/rpc';
import type { Deps } from '../deps.ts';

/**
 * Whether a case or a report is about the caller who decides it, or about the account that the caller acts as.
 *
 * @param userId the user it is about; null for none
 * @throws refuse.forbidden where the settings forbid that
 */
export function checkOwnCase(
  { forbidsOwnCases }: Pick<Deps, 'forbidsOwnCases'>,
  { owner, userId: actingAs }: Pick<Requester, 'owner' | 'userId'>,
  userId: string | null,
): boolean {
  const isOwn = userId === owner || userId === actingAs;
  if (isOwn && forbidsOwnCases)
    throw refuse.forbidden('The case is about you: another moderator must decide it');
  return isOwn;
}
