import type { Deps } from '../../core/deps.ts';

/** The supported room versions. */
const ROOM_VERSIONS = Array.from({ length: 12 }, (_, index) => String(index + 1));

/** Returns the server's capabilities (client-plane.md 7.1). */
export function getCapabilities({ settings }: Deps) {
  const { passwordLogin, passwordsMaySet, delegatedAuthentication } = settings;
  return {
    capabilities: {
      changePassword: { enabled: passwordLogin && passwordsMaySet && !delegatedAuthentication },
      roomVersions: {
        default: settings.defaultRoomVersion,
        available: Object.fromEntries(ROOM_VERSIONS.map((version) => [version, 'stable'])),
      },
      setDisplayname: { enabled: true },
      setAvatarUrl: { enabled: true },
      threepidChanges: { enabled: false },
      getLoginToken: { enabled: false },
      profileFields: { enabled: true },
    },
  };
}
