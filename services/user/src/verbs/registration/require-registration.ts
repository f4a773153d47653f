import { refuse } from '@steward/errors';
import type { Deps } from '../../core/deps.ts';

/** @throws refuse.forbidden when users cannot register on this server */
export function requireRegistration(deps: Deps): void {
  if (!deps.settings.registrationEnabled) throw refuse.forbidden('Registration is not open on this server');
}
