/** The version that steward says it is (behaviour.md 11.1). */
const SERVER_VERSION = 'steward 0.1.0';

/** Versions of the client API that are spoken (client-plane.md 7.1). */
const CLIENT_VERSIONS = ['r0.6.1', ...Array.from({ length: 11 }, (_, minor) => `v1.${minor + 1}`)] as const;

/** The version of steward. */
export function getServerVersion() {
  return { serverVersion: SERVER_VERSION };
}

/** The versions of the client API. */
export function listClientVersions() {
  return { versions: [...CLIENT_VERSIONS], unstableFeatures: { 'org.matrix.e2e_cross_signing': true } };
}
