import {
  isBcryptHash,
  type JsonObject,
  MAX_BCRYPT_COST,
  MIN_BCRYPT_COST,
  parseContentUri,
} from '@steward/kernel';
import type { Lesser, Part } from '../../part.ts';
import type { Row } from '../source/database.ts';
import { flag, jsonObject, text, textOrNull, whole, wholeOrNull } from '../source/row.ts';
import { type Context, first, fullUserId, groupsPart } from './context.ts';

/** The times of accounts are in seconds, all others in milliseconds. */
const MS_PER_SECOND = 1_000;

/** What is said of an account whose password cannot be compared here. */
const NOT_BCRYPT = `the password is not carried, because it is not a bcrypt hash with a cost of ${MIN_BCRYPT_COST} to ${MAX_BCRYPT_COST}: an administrator sets a new one`;

/** What is said of an account whose password the new server would not store. */
const NOT_STORED =
  'the password is not carried, because passwords.localdb_enabled is off on the new server: its user goes on with their sessions';

/** Accounts, with all that is stored of them alone. */
export function accountsPart(context: Context): Part {
  const { database, pepper, storesPasswords, noticeUser } = context;
  const by = (column: string) => `ORDER BY ${database.inOrder(column)}`;
  const ofUser = (columns: string, table: string, rest = '') =>
    [table, `user_id AS key, ${columns} FROM ${table} ${rest} ${by('user_id')}`] as const;
  const profile = fullUserId(context, 'full_user_id', 'user_id');
  return groupsPart(context, {
    kind: 'users',
    table: 'users',
    query: `name AS key, users.* FROM users ${by('name')}`,
    refusesOrphans: ['profiles', 'validity', 'limits', 'features', 'addresses', 'externals'],
    others: {
      profiles: ['profiles', `${profile} AS key, profiles.* FROM profiles ${by(profile)}`],
      erased: ofUser('user_id', 'erased_users'),
      ending: ofUser('user_id', 'users_pending_deactivation'),
      validity: ofUser('expiration_ts_ms', 'account_validity'),
      limits: ofUser('messages_per_second, burst_count', 'ratelimit_override'),
      features: ofUser('feature, enabled', 'per_user_experimental_features'),
      addresses: ofUser('medium, address, validated_at, added_at', 'user_threepids'),
      externals: ofUser('auth_provider, external_id', 'user_external_ids'),
      seen: [
        'user_ips',
        // Also on devices that have gone.
        `user_id AS key, MAX(last_seen) AS last_seen FROM (SELECT user_id, last_seen FROM devices UNION ALL SELECT user_id, last_seen FROM user_ips) AS seen GROUP BY user_id ${by('user_id')}`,
      ],
      backups: [
        'e2e_room_keys_versions',
        `user_id AS key, MAX(version) AS version FROM e2e_room_keys_versions GROUP BY user_id ${by('user_id')}`,
      ],
      replaceable: [
        'e2e_cross_signing_keys',
        `user_id AS key, MAX(updatable_without_uia_before_ms) AS until FROM e2e_cross_signing_keys WHERE updatable_without_uia_before_ms IS NOT NULL GROUP BY user_id ${by('user_id')}`,
      ],
    },
    read(row, of) {
      const userId = text(row, 'name');
      const losses: string[] = [];
      const profileRow = first(of.profiles);
      const avatar = textOrNull(profileRow, 'avatar_url') || null;
      const isAvatar = avatar === null || parseContentUri(avatar) !== undefined;
      if (!isAvatar) losses.push('the avatar is not carried, because it is not a content URI');
      const fields = profileFields(profileRow, losses);
      const actsForServer = userId === noticeUser;
      const deactivated = flag(row, 'deactivated') || of.ending.length > 0;
      const hash = deactivated || actsForServer ? null : textOrNull(row, 'password_hash') || null;
      const isCarried = hash !== null && storesPasswords && isBcryptHash(hash);
      if (hash !== null && !isCarried) losses.push(storesPasswords ? NOT_BCRYPT : NOT_STORED);
      const limit = of.limits[0];
      const validity = of.validity[0];
      const features = of.features
        .filter((each) => flag(each, 'enabled'))
        .map((each) => text(each, 'feature'));
      const backup = of.backups[0];
      const replaceable = of.replaceable[0];
      const threepids = of.addresses.map((each) => ({
        medium: text(each, 'medium'),
        address: text(each, 'address'),
        validated_at: whole(each, 'validated_at'),
        added_at: whole(each, 'added_at'),
      }));
      const record = {
        user_id: userId,
        displayname: textOrNull(profileRow, 'displayname'),
        avatar_url: isAvatar ? avatar : null,
        created_ts: (wholeOrNull(row, 'creation_ts') ?? 0) * MS_PER_SECOND,
        last_seen_ts: wholeOrNull(first(of.seen), 'last_seen'),
        admin: flag(row, 'admin'),
        deactivated,
        user_type: textOrNull(row, 'user_type'),
        is_guest: flag(row, 'is_guest'),
        locked: flag(row, 'locked'),
        shadow_banned: flag(row, 'shadow_banned'),
        suspended: flag(row, 'suspended'),
        erased: of.erased.length > 0,
        awaits_approval: !flag(row, 'approved', true),
        appservice_id: textOrNull(row, 'appservice_id'),
        consent_version: textOrNull(row, 'consent_version'),
        consent_ts: wholeOrNull(row, 'consent_ts'),
        consent_server_notice_sent: textOrNull(row, 'consent_server_notice_sent'),
        threepids,
        external_ids: of.externals.map((each) => ({
          auth_provider: text(each, 'auth_provider'),
          external_id: text(each, 'external_id'),
        })),
        ...(isCarried
          ? { password: { scheme: 'bcrypt', hash, ...(pepper === undefined ? {} : { pepper }) } }
          : {}),
        ...(actsForServer ? { acts_for_server: true } : {}),
        ...(fields.length > 0 ? { profile_fields: fields } : {}),
        ...(validity ? { expiration_ts: wholeOrNull(validity, 'expiration_ts_ms') } : {}),
        ...(limit
          ? {
              rate_limit: {
                messages_per_second: wholeOrNull(limit, 'messages_per_second') ?? 0,
                burst_count: wholeOrNull(limit, 'burst_count') ?? 0,
              },
            }
          : {}),
        ...(features.length > 0 ? { experimental_features: features.sort() } : {}),
        ...(backup ? { key_backup_version: whole(backup, 'version') } : {}),
        ...(replaceable ? { cross_signing_replacement_until_ms: whole(replaceable, 'until') } : {}),
      };
      return { losses, record, lesser: withFewerAddresses(record, threepids) };
    },
  });
}

/** The record of an account without each of its addresses, of which another account may hold one, and without all of them. */
function withFewerAddresses(
  record: JsonObject,
  threepids: readonly { readonly medium: string; readonly address: string }[],
): readonly Lesser[] {
  if (threepids.length === 0) return [];
  const all = { record: { ...record, threepids: [] }, loss: 'its addresses are not carried' };
  if (threepids.length === 1) return [all];
  const one = threepids.map((left) => ({
    record: { ...record, threepids: threepids.filter((each) => each !== left) },
    loss: `the address ${left.address} is not carried`,
  }));
  return [...one, all];
}

/** The fields of a profile; why they are not carried is added to `losses`. */
function profileFields(
  row: Row,
  losses: string[],
): readonly { readonly name: string; readonly value: string }[] {
  if (row.fields === null || row.fields === undefined) return [];
  try {
    const fields = Object.entries(jsonObject(row, 'fields'));
    return fields.map(([name, value]) => ({ name, value: JSON.stringify(value) }));
  } catch (error) {
    losses.push(`the profile fields are not carried: ${(error as Error).message}`);
    return [];
  }
}
