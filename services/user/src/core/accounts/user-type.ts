import { refuse } from '@steward/errors';
import type { Deps } from '../deps.ts';

/**
 * Refuses a type that accounts cannot be given on this server.
 *
 * @throws refuse.unknown
 */
export function requireKnownUserType(deps: Pick<Deps, 'settings'>, type: string | undefined): void {
  const { userTypes } = deps.settings;
  if (type === undefined || userTypes.has(type)) return;
  throw refuse.unknown(`'user_type' must be one of ${[...userTypes].join(', ')}`);
}
