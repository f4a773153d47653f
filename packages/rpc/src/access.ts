import { type Message, ScalarType } from '@bufbuild/protobuf';
import { FeatureSet_FieldPresence as Presence } from '@bufbuild/protobuf/wkt';
import { refuse, stepUpRequired } from '@steward/errors';
import { Access, Scope } from '@steward/proto/steward/http/v1/annotations_pb.ts';
import { headers } from './headers.ts';
import type { MethodRules } from './method-rules.ts';
import { type RequestField, requestValue } from './request-fields.ts';
import type { Requester } from './requester.ts';
import { scopeName } from './scope-name.ts';

/** The rights of a caller: all scopes for an administrator, otherwise those of the roles that the account has. */
export type Rights = Pick<Requester, 'admin' | 'scopes'>;

/** The rights of a caller, and why there may be none although the account has some. */
export type CallerRights = Rights & Unproved;

type Unproved = Pick<Requester, 'lacksSecondFactor' | 'mustEnrol' | 'proofStages' | 'withheldScopes'> &
  Partial<Pick<Requester, 'suspended'>> & { readonly kind?: string };

/** Whether a method of this access reads a token. */
export function readsToken(access: Access): boolean {
  return access !== Access.NONE && access !== Access.INTERNAL;
}

/** The access that a call needs: methods may declare another one under the compatibility prefix. */
export function accessOf({ access, compatAccess }: MethodRules, header: Headers): Access {
  return access !== compatAccess && header.get(headers.profile) === 'compat' ? compatAccess : access;
}

/** Whether a caller has a scope. */
export function hasScope({ admin, scopes = [] }: Rights, scope: Scope): boolean {
  return admin || scopes.includes(scope);
}

/** Whether a caller takes part in the administration of the server: has any scope. */
export function hasScopes({ admin, scopes = [] }: Rights): boolean {
  return admin || scopes.length > 0;
}

/** @throws refuse.unknownToken for a caller with another credential than an access token, see `CredentialKind` */
export function requireAccessToken({ kind }: { readonly kind?: string }): void {
  if (kind) throw refuse.unknownToken('This requires an access token of an account');
}

/** @throws refuse.forbidden, which names the scope, when a caller does not have it */
export function requireScope(caller: CallerRights, scope: Scope): void {
  if (hasScope(caller, scope)) return;
  refuseWithheld(caller, [scope]);
  if (!hasScopes(caller)) throw noAdministrator(caller);
  throw refuse.forbidden(`This requires the scope ${scopeName(scope)}`);
}

/**
 * Refuses a caller whose account has one of the scopes, and says why the caller does not.
 *
 * @throws refuse.userSuspended or refuse.limitedCredential
 */
export function refuseWithheld(caller: Unproved, scopes: readonly Scope[]): void {
  const refusal = withheldRefusal(caller, scopes);
  if (refusal) throw refusal;
}

function withheldRefusal(
  { withheldScopes = [], suspended }: Unproved,
  scopes: readonly Scope[],
): Error | undefined {
  const withheld = scopes.find((scope) => withheldScopes.includes(scope));
  if (withheld === undefined) return undefined;
  return suspended
    ? refuse.userSuspended(
        'Your account is suspended: it has no administrative rights until another administrator lifts the suspension',
      )
    : refuse.limitedCredential(
        `Your account has the scope ${scopeName(withheld)}, but this sign-in does not: a caller without the scope set its password or made its token. Sign in with a password that a caller with the scope has set, or with your second factor`,
      );
}

/**
 * Refuses a caller who does not have all of the scopes that what the call concerns has.
 *
 * @param holder what has them
 * @throws refuse.forbidden, which names the first that is missing
 */
export function requireScopes(
  caller: CallerRights,
  scopes: readonly Scope[],
  holder: 'account' | 'group' | 'role' | 'token',
): void {
  const missing = scopes.find((scope) => !hasScope(caller, scope));
  if (missing === undefined) return;
  refuseWithheld(caller, [missing]);
  if ((caller.lacksSecondFactor || caller.mustEnrol) && !hasScopes(caller)) throw noAdministrator(caller);
  throw refuse.forbidden(
    `The ${holder} has the scope ${scopeName(missing)}, which you do not have: this requires every scope of the ${holder}`,
  );
}

/** The refusal of a caller without any scope. A session that does not prove the second factor can do so by a step-up. */
export function noAdministrator(caller: Unproved): Error {
  const {
    kind,
    lacksSecondFactor = false,
    mustEnrol = false,
    proofStages = [],
    withheldScopes = [],
  } = caller;
  const withheld = withheldRefusal(caller, withheldScopes);
  if (withheld) return withheld;
  if (mustEnrol)
    return refuse.secondFactorRequired(
      kind === 'session'
        ? 'This server requires a second factor of your account: it has no administrative rights until you set one up'
        : 'This server requires a second factor of your account, which access tokens do not prove: use an administrator session, as in the console, or an automation token',
    );
  if (lacksSecondFactor && kind === 'session') return stepUpRequired(proofStages);
  return refuse.forbidden(
    lacksSecondFactor
      ? 'Access tokens of accounts with a second factor have no administrative rights: use an administrator session or an automation token'
      : 'You are not a server administrator',
  );
}

/**
 * Refuses a caller whom the declared access does not admit: without a token where one is needed, with another credential where
 * only access tokens are accepted, a guest, a user who does not have the scope of a method for administrators (behaviour.md 0.2).
 */
export function checkAccess(
  access: Access,
  { scope, anyCredential }: Pick<MethodRules, 'scope' | 'anyCredential'>,
  caller: (CallerRights & Pick<Requester, 'guest'>) | undefined,
): void {
  if (caller && !anyCredential) requireAccessToken(caller);
  if (!readsToken(access) || access === Access.OPTIONAL) return;
  if (!caller) throw refuse.missingToken('Missing access token');
  if (access === Access.GUEST) return;
  if (caller.guest) throw refuse.guestForbidden('Guests may not do this');
  if (access === Access.ADMIN) requireScope(caller, scope);
}

/**
 * Refuses a caller who does not have the scope of a field that the request sets.
 *
 * @throws refuse.forbidden
 */
export function checkFields(
  rules: Pick<MethodRules, 'fieldScopes'>,
  message: Message,
  caller: CallerRights,
): void {
  if (caller.admin) return;
  for (const scope of scopesOfFields(rules, message)) requireScope(caller, scope);
}

/** The scopes of the fields that a request sets. */
function scopesOfFields(
  { fieldScopes }: Pick<MethodRules, 'fieldScopes'>,
  message: Message,
): readonly Scope[] {
  return fieldScopes.filter((each) => isSet(each, message)).map(({ scope }) => scope);
}

/** The scopes that a request requires: that of its method, and those of the fields that it sets. */
export function scopesOf(
  { scope, fieldScopes }: Pick<MethodRules, 'scope' | 'fieldScopes'>,
  message: Message,
): readonly Scope[] {
  const set = scopesOfFields({ fieldScopes }, message);
  return scope === Scope.UNSPECIFIED ? set : [scope, ...set];
}

/** Whether a field has another value than its default. An optional text is one even if it is empty. */
function isSet(each: RequestField, message: Message): boolean {
  const { field } = each;
  const value = requestValue(message, each);
  if (field.fieldKind === 'list') return ((value ?? []) as readonly unknown[]).length > 0;
  if (field.fieldKind === 'scalar' && field.scalar === ScalarType.BOOL) return value === true;
  return field.presence === Presence.EXPLICIT ? value !== undefined : Boolean(value);
}
