import { refuse } from '@steward/errors';
import { type JsonObject, parseContentUri } from '@steward/kernel';
import type { Account } from './account.ts';

/** A profile text as it is stored: trimmed, and null when it is empty. */
export function profileText(text: string): string | null {
  return text.trim() || null;
}

/** @throws refuse.invalidParam when an avatar is not a content URI */
export function requireContentUri(uri: string): void {
  if (!parseContentUri(uri)) throw refuse.invalidParam("'avatar_url' must be a content URI");
}

/** The most bytes of the name of a field. */
const MAX_NAME_BYTES = 255;

/** The most bytes of a profile as JSON. */
const MAX_PROFILE_BYTES = 65_536;

/** The grammar of the names of fields: that of namespaced identifiers. */
const FIELD_NAME = /^[a-z][a-z0-9_.-]*$/;

/**
 * Checks the name of a field of a profile.
 *
 * @throws refuse.profileKeyTooLarge, refuse.invalidParam
 */
export function requireFieldName(name: string): void {
  if (Buffer.byteLength(name) > MAX_NAME_BYTES)
    throw refuse.profileKeyTooLarge(`The name of a field has at most ${MAX_NAME_BYTES} bytes`);
  if (!FIELD_NAME.test(name))
    throw refuse.invalidParam(
      'The name of a field begins with a lower-case letter, and has lower-case letters, digits, -, _ and . only',
    );
}

/** What belongs to the profile of an account. */
export type Profile = Pick<Account, 'displayname' | 'avatar_url' | 'profile_fields'>;

/** A profile as clients read it. */
export function profileOf({ displayname, avatar_url, profile_fields = [] }: Profile): JsonObject {
  const own = Object.entries({ displayname, avatar_url }).filter(([, value]) => value !== null);
  const further = profile_fields.map(({ name, value }): [string, unknown] => [name, JSON.parse(value)]);
  return Object.fromEntries([...own, ...further]);
}

/**
 * The further fields of a profile with a value for one of them, or without it.
 *
 * @param value JSON text
 * @throws refuse.profileTooLarge
 */
export function withField(
  profile: Profile,
  name: string,
  value: string | undefined,
): Pick<Account, 'profile_fields'> {
  const { profile_fields = [] } = profile;
  const others = profile_fields.filter((field) => field.name !== name);
  const changed = { profile_fields: value === undefined ? others : [...others, { name, value }] };
  if (
    value !== undefined &&
    Buffer.byteLength(JSON.stringify(profileOf({ ...profile, ...changed }))) > MAX_PROFILE_BYTES
  )
    throw refuse.profileTooLarge(`A profile has at most ${MAX_PROFILE_BYTES} bytes`);
  return changed;
}
