/** The supported versions of the client API (client-plane.md 7.1). */
const CLIENT_VERSIONS = ['r0.6.1', ...Array.from({ length: 11 }, (_, minor) => `v1.${minor + 1}`)] as const;

/** The supported parts of the client API that are not part of these versions. */
const UNSTABLE_FEATURES = { 'org.matrix.e2e_cross_signing': true, 'org.matrix.msc3814': true };

/** Returns the supported versions of the client API. */
export function listClientVersions() {
  return { versions: [...CLIENT_VERSIONS], unstableFeatures: UNSTABLE_FEATURES };
}
