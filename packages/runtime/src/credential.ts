import type { Config } from '@steward/config';

/** @throws Error in one line when the settings name no internal credential */
export function internalCredential(config: Config): string {
  const { credential } = config.services;
  if (credential === undefined) {
    throw new Error('The processes of a server need a secret in common: set STEWARD_INTERNAL_CREDENTIAL.');
  }
  return credential;
}
