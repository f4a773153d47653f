import type { JsonObject } from '@steward/kernel';
import type { Account } from '../core/model/account.ts';
import type { Device } from '../core/model/device.ts';
import { readPasswordHash } from '../core/model/password-hash.ts';
import { type Role, roleNameOf } from '../core/model/role.ts';
import { furtherOfAccount, furtherOfDevice, furtherOfRole } from '../core/records/further-fields.ts';

/**
 * The record of an account, as the import reads it.
 *
 * @param isRole whether a reference is to a role that exists
 */
export function exportedUser(account: Account, isRole: (reference: string) => boolean): JsonObject {
  const roles = (account.roles ?? []).filter(isRole).map(roleNameOf);
  return {
    user_id: account._id,
    displayname: account.displayname,
    avatar_url: account.avatar_url,
    created_ts: account.creation_ts,
    admin: account.admin,
    ...(roles.length > 0 ? { roles: [...roles] } : {}),
    ...(account.acts_for_server ? { acts_for_server: true } : {}),
    deactivated: account.deactivated,
    ...exportedPassword(account),
    threepids: account.threepids.map(({ medium, address, added_at, validated_at }) => ({
      medium,
      address,
      added_at,
      validated_at,
    })),
    external_ids: account.external_ids.map(({ auth_provider, external_id }) => ({
      auth_provider,
      external_id,
    })),
    user_type: account.user_type,
    is_guest: account.is_guest,
    locked: account.locked,
    shadow_banned: account.shadow_banned,
    last_seen_ts: account.last_seen_ts,
    ...furtherOfAccount.write(account),
  };
}

/** The hash in the field that every release reads, unless it is of another scheme. */
function exportedPassword({ password_hash }: Account): JsonObject {
  const { scheme, hash, pepper } = readPasswordHash(password_hash ?? '');
  if (password_hash === null || scheme === 'argon2') return { password_hash };
  return { password: { scheme, hash, ...(pepper === undefined ? {} : { pepper }) } };
}

/** The record of a role that administrators created. */
export function exportedRole(role: Role): JsonObject {
  const { _id: name, description, scopes } = role;
  return { name, description, scopes: [...scopes], ...furtherOfRole.write(role) };
}

/** The record of a device. */
export function exportedDevice(device: Device): JsonObject {
  return {
    user_id: device.user_id,
    device_id: device.device_id,
    display_name: device.display_name,
    last_seen_ts: device.last_seen_ts,
    last_seen_ip: device.last_seen_ip,
    last_seen_user_agent: device.last_seen_user_agent,
    ...furtherOfDevice.write(device),
  };
}
