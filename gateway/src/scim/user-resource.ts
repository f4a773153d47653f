import type { Config } from '@steward/config';
import type { User } from '@steward/proto/steward/user/v1/accounts_pb.ts';
import { SCIM_PATH } from './scim-path.ts';
import { USER_SCHEMA } from './user-schema.ts';
import { versionOf } from './version-of.ts';

/** How accounts are shown and changed. */
export interface ScimSettings {
  /** The origin of the server in locations. */
  readonly base: string;
  readonly authProvider: Config['scim']['auth_provider'];
  readonly inactive: Config['scim']['inactive'];
  readonly erases: boolean;
  readonly passwordsStored: boolean;
}

/** An account as the account service shows it, alone or in a list. */
export type ShownAccount = Pick<
  User,
  | 'name'
  | 'displayname'
  | 'threepids'
  | 'externalIds'
  | 'isGuest'
  | 'deactivated'
  | 'erased'
  | 'locked'
  | 'creationTs'
>;

/** One of several addresses. */
export interface Address {
  readonly value: string;
  readonly type: string;
  readonly primary: boolean;
}

/** What of a user the version is made from. */
export interface UserContent {
  readonly schemas: readonly string[];
  readonly id: string;
  readonly externalId?: string;
  readonly userName: string;
  readonly displayName?: string;
  readonly name?: { readonly formatted: string };
  readonly active: boolean;
  readonly emails?: readonly Address[];
  readonly phoneNumbers?: readonly Address[];
}

/** A user (RFC 7643, 4.1). */
export interface UserResource extends UserContent {
  readonly meta: {
    readonly resourceType: 'User';
    readonly created: string;
    readonly location: string;
    readonly version: string;
  };
}

/** The media of addresses, by the attributes that have them. */
export const MEDIUM_OF = { emails: 'email', phoneNumbers: 'msisdn' } as const;

/** The localpart of a user id. */
export function localpartOf(userId: string): string {
  return userId.slice(1, userId.indexOf(':'));
}

/**
 * Whether the directory sees an account: guests are none of its users, and what was deleted does not exist. Where accounts are
 * deactivated to make them inactive, they are still there until they are erased.
 */
export function isVisible({ inactive }: ScimSettings, account: ShownAccount): boolean {
  if (account.isGuest || account.erased) return false;
  return inactive === 'deactivate' || !account.deactivated;
}

/** The address of a user. What a path may contain as it is stays: some clients take an id from the end of an address. */
export function locationOf(base: string, userId: string): string {
  const segment = encodeURIComponent(userId).replaceAll('%40', '@').replaceAll('%3A', ':');
  return `${base}${SCIM_PATH}/Users/${segment}`;
}

/** Shows an account as a user. */
export function toResource(settings: ScimSettings, account: ShownAccount): UserResource {
  const externalId = account.externalIds.find(({ authProvider }) => authProvider === settings.authProvider);
  const emails = addresses(account, MEDIUM_OF.emails);
  const phoneNumbers = addresses(account, MEDIUM_OF.phoneNumbers);
  const { displayname } = account;
  const content: UserContent = {
    schemas: [USER_SCHEMA],
    id: account.name,
    ...(externalId ? { externalId: externalId.externalId } : {}),
    userName: localpartOf(account.name),
    ...(displayname === undefined ? {} : { displayName: displayname, name: { formatted: displayname } }),
    active: settings.inactive === 'lock' ? !account.locked : !account.deactivated,
    ...(emails.length > 0 ? { emails } : {}),
    ...(phoneNumbers.length > 0 ? { phoneNumbers } : {}),
  };
  return {
    ...content,
    meta: {
      resourceType: 'User',
      created: new Date(Number(account.creationTs)).toISOString(),
      location: locationOf(settings.base, account.name),
      version: versionOf(content),
    },
  };
}

/** The first address is the one of work: a directory changes it, and leaves those that the user added. */
function addresses({ threepids }: ShownAccount, medium: string): readonly Address[] {
  return threepids
    .filter((threepid) => threepid.medium === medium)
    .map(({ address }, index) => ({
      value: address,
      type: index === 0 ? 'work' : 'other',
      primary: index === 0,
    }));
}
