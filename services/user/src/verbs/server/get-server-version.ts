import { RELEASE } from '@steward/runtime';

const NAME = 'steward';

/** Returns the version of steward (behaviour.md 11.1). */
export function getServerVersion() {
  return { serverVersion: `${NAME} ${RELEASE}` };
}

/** Returns the same, as tools ask servers that federate. */
export function getFederationVersion() {
  return { server: { name: NAME, version: RELEASE } };
}
