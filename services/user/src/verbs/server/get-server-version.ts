const NAME = 'steward';
const VERSION = '0.1.0';

/** Returns the version of steward (behaviour.md 11.1). */
export function getServerVersion() {
  return { serverVersion: `${NAME} ${VERSION}` };
}

/** Returns the same, as tools ask servers that federate. */
export function getFederationVersion() {
  return { server: { name: NAME, version: VERSION } };
}
