/** The version that steward says it is (behaviour.md 11.1). */
const SERVER_VERSION = 'steward 0.1.0';

/** The version of steward. */
export function getServerVersion() {
  return { serverVersion: SERVER_VERSION };
}
