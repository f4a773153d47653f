/** The version that steward reports (behaviour.md 11.1). */
const SERVER_VERSION = 'steward 0.1.0';

/** Returns the version of steward. */
export function getServerVersion() {
  return { serverVersion: SERVER_VERSION };
}
