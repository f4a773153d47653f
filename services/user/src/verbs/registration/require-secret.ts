import { refuse } from '@steward/errors';
import type { Deps } from '../../core/deps.ts';

/** @throws refuse.unknown when the server has no secret: registration is then unavailable */
export function requireSecret(deps: Deps): string {
  const { registrationSecret } = deps.settings;
  if (registrationSecret === '') throw refuse.unknown('Shared-secret registration is not enabled');
  return registrationSecret;
}
