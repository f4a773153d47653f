import type { Config } from '@steward/config';

/** @throws Error with a message of one line when the settings have no internal credential */
export function internalCredential(config: Config): string {
  const { credential } = config.services;
  if (credential === undefined) {
    throw new Error('The processes of a server need a secret in common: set STEWARD_INTERNAL_CREDENTIAL.');
  }
  return credential;
}
