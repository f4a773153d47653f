import { MAX_GROUPS_OF_ACCOUNT } from '../model/group.ts';
import type { SessionNames } from '../model/provider-session.ts';
import { ProviderFailure } from './provider-failure.ts';
import type { ProviderSettings } from './provider-settings.ts';

/** What a provider says about a user. */
export interface ProvidedUser {
  /** The id at the provider. */
  readonly subject: string;
  /** The localpart of a new account; undefined if it is not given. */
  readonly localpart: string | undefined;
  readonly displayName: string | undefined;
  /** The address, if the provider has verified it. */
  readonly verifiedEmail: string | undefined;
  /** The names of the roles that the settings give for the claims. */
  readonly roles: readonly string[];
  /** The names of the groups in which the user is. */
  readonly groups: readonly string[];
  /** Whether the sign-in counts as a second factor. */
  readonly secondFactor: boolean;
  /** The names of the session at the provider. */
  readonly session: SessionNames;
}

/** As external ids of accounts. */
const MAX_SUBJECT_LENGTH = 512;

/** The longest text that is read of a claim: that of a display name. */
const MAX_TEXT_LENGTH = 256;

/** What cannot be an external id, see `PutUserRequest.external_ids`. */
const DOTS = /^\.{1,2}$/;

/**
 * Reads the claims of a user.
 *
 * @throws ProviderFailure when the id is missing, or a required claim has another value
 */
export function readClaims(
  settings: Pick<
    ProviderSettings,
    | 'claims'
    | 'required_claims'
    | 'roles_claim'
    | 'roles'
    | 'groups_claim'
    | 'is_second_factor'
    | 'second_factor_claims'
  >,
  claims: Readonly<Record<string, unknown>>,
): ProvidedUser {
  const { claims: names, required_claims: required } = settings;
  for (const [name, accepted] of Object.entries(required)) {
    if (!accepts(claims, name, accepted))
      throw new ProviderFailure('claims', `The claim ${name} has none of the required values`);
  }
  const subject = own(claims, names.subject);
  if (
    typeof subject !== 'string' ||
    subject === '' ||
    DOTS.test(subject) ||
    subject.length > MAX_SUBJECT_LENGTH
  )
    throw new ProviderFailure('claims', `The claim ${names.subject} is missing or cannot be an id`);
  const email = text(claims, names.email);
  return {
    subject,
    localpart: text(claims, names.localpart),
    displayName: text(claims, names.display_name),
    verifiedEmail: own(claims, 'email_verified') === true ? email : undefined,
    roles: rolesIn(settings, claims),
    groups: groupsIn(settings, claims),
    secondFactor:
      settings.is_second_factor &&
      Object.entries(settings.second_factor_claims).every(([name, accepted]) =>
        accepts(claims, name, accepted),
      ),
    session: { sub: name(claims, 'sub'), sid: name(claims, 'sid') },
  };
}

/** Whether a claim has one of the accepted values; of a list, one value suffices. */
function accepts(
  claims: Readonly<Record<string, unknown>>,
  name: string,
  accepted: readonly string[],
): boolean {
  return [own(claims, name)].flat().some((value) => accepted.includes(String(value)));
}

/** A name that the provider may send back at a logout: one that it knows only. */
function name(claims: Readonly<Record<string, unknown>>, claim: string): string | undefined {
  const value = own(claims, claim);
  return typeof value === 'string' && value !== '' && value.length <= MAX_SUBJECT_LENGTH ? value : undefined;
}

function rolesIn(
  { roles_claim: name, roles }: Pick<ProviderSettings, 'roles_claim' | 'roles'>,
  claims: Readonly<Record<string, unknown>>,
): readonly string[] {
  if (name === undefined) return [];
  const values = new Set([own(claims, name)].flat().map(String));
  const given = Object.entries(roles).flatMap(([value, role]) => (values.has(value) ? [role] : []));
  return [...new Set(given)];
}

/** The names of groups in a claim, as many as an account may have; what cannot be one is left out. */
function groupsIn(
  { groups_claim: name }: Pick<ProviderSettings, 'groups_claim'>,
  claims: Readonly<Record<string, unknown>>,
): readonly string[] {
  if (name === undefined) return [];
  const names = [own(claims, name)]
    .flat()
    .filter((value) => typeof value === 'string' && value !== '' && value.length <= MAX_TEXT_LENGTH);
  return [...new Set(names as string[])].slice(0, MAX_GROUPS_OF_ACCOUNT);
}

function text(claims: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const value = own(claims, name);
  return typeof value === 'string' && value !== '' && value.length <= MAX_TEXT_LENGTH ? value : undefined;
}

function own(claims: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(claims, name) ? claims[name] : undefined;
}
