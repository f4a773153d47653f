import { refuse } from '@steward/errors';
import type { Deps } from '../deps.ts';

/**
 * Refuses a type that accounts cannot be given on this server. The message does not name the configured types: a
 * registration with the shared secret is refused before its MAC is checked.
 *
 * @throws refuse.unknown
 */
export function requireKnownUserType(deps: Pick<Deps, 'settings'>, type: string | undefined): void {
  if (type === undefined || deps.settings.userTypes.has(type)) return;
  throw refuse.unknown("'user_type' must be bot, support or one of the configured types");
}
