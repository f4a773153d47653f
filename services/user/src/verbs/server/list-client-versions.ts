/** The supported versions of the client API (client-plane.md 7.1). */
const CLIENT_VERSIONS = ['r0.6.1', ...Array.from({ length: 11 }, (_, minor) => `v1.${minor + 1}`)] as const;

/** Returns the supported versions of the client API. */
export function listClientVersions() {
  return { versions: [...CLIENT_VERSIONS], unstableFeatures: { 'org.matrix.e2e_cross_signing': true } };
}
