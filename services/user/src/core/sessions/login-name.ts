import { refuse } from '@steward/errors';
import { formatUserId } from '@steward/kernel';
import type { LoginRequest } from '@steward/proto/steward/user/v1/sessions_pb.ts';
import { type CountryCode, parsePhoneNumberFromString as parsePhoneNumber } from 'libphonenumber-js/min';
import { holderOfThreepid } from '../accounts/threepid-claims.ts';
import type { Deps } from '../deps.ts';
import type { Account } from '../model/account.ts';
import { canonicalAddress, threepidKey } from '../model/threepid.ts';

/** The part of a request that names the user. */
export type Naming = Partial<Pick<LoginRequest, 'user' | 'medium' | 'address' | 'identifier'>>;

/** A user as a request names it: by the whole user id, or by a third-party id. */
export type LoginName = { readonly userId: string } | { readonly medium: string; readonly address: string };

/**
 * The user that a request names, in any of the documented ways (client-plane.md 7.2), of which older ones take
 * precedence. `undefined` for an invalid telephone number.
 *
 * @throws refuse.invalidParam or refuse.unknown when it names no user, or in no documented way
 */
export function loginName(deps: Deps, request: Naming): LoginName | undefined {
  if (request.user !== undefined) return { userId: fullId(deps, request.user) };
  if (request.medium !== undefined && request.address !== undefined) {
    return { medium: request.medium, address: request.address };
  }
  const { identifier } = request;
  switch (identifier?.type) {
    case undefined:
      throw refuse.invalidParam('The request does not name a user');
    case 'm.id.user':
      if (identifier.user === undefined) throw refuse.invalidParam("'identifier' lacks 'user'");
      return { userId: fullId(deps, identifier.user) };
    case 'm.id.thirdparty':
      if (identifier.medium === undefined || identifier.address === undefined) {
        throw refuse.invalidParam("'identifier' lacks 'medium' or 'address'");
      }
      return { medium: identifier.medium, address: identifier.address };
    case 'm.id.phone': {
      const number = identifier.phone ?? identifier.number;
      if (identifier.country === undefined || number === undefined) {
        throw refuse.invalidParam("'identifier' lacks 'country' or 'phone'");
      }
      const parsed = parsePhoneNumber(number, identifier.country.toUpperCase() as CountryCode);
      return parsed && { medium: 'msisdn', address: parsed.number.replace('+', '') };
    }
    default:
      throw refuse.unknown('Unknown identifier type');
  }
}

/** The user id of the holder of a name; `undefined` when there is none. */
export async function holderOfName(deps: Deps, name: LoginName | undefined): Promise<string | undefined> {
  if (name === undefined) return undefined;
  return 'userId' in name ? userById(deps, name.userId) : holderOfThreepid(deps, name.medium, name.address);
}

/**
 * The user id that a request names, see `loginName`. `undefined` when no account has that name.
 *
 * @throws refuse.invalidParam or refuse.unknown when it names no user, or in no documented way
 */
export async function namedUser(deps: Deps, request: Naming): Promise<string | undefined> {
  return holderOfName(deps, loginName(deps, request));
}

/** The key under which failed attempts with a name are counted, whether or not an account has the name. */
export function failureKey(name: LoginName | undefined): string {
  if (name === undefined) return '';
  if ('userId' in name) return name.userId.toLowerCase();
  return threepidKey(name.medium, canonicalAddress(name.medium, name.address)).toLowerCase();
}

function fullId(deps: Deps, name: string): string {
  return name.startsWith('@') ? name : formatUserId(name, deps.serverName);
}

/** The exact id if it exists, else the only one that differs from it in case alone. */
async function userById(deps: Deps, id: string): Promise<string | undefined> {
  const same: Account[] = await deps.accounts.find({ folded_id: id.toLowerCase() }).toArray();
  const exact = same.find((account) => account._id === id);
  if (exact) return exact._id;
  return same.length === 1 ? same[0]?._id : undefined;
}
