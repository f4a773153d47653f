import type { SentUser } from './read-user.ts';
import { badRequest } from './scim-error.ts';
import { localpartOf, MEDIUM_OF, type ScimSettings, type ShownAccount, toResource } from './user-resource.ts';

/** The body of a request that creates the account of a user. */
export function creationOf(settings: ScimSettings, sent: SentUser): object {
  const name = sent.displayName ?? sent.composedName;
  const ids = {
    ...(sent.externalId ? { external_ids: [ownId(settings, sent.externalId)] } : {}),
    ...(sent.emails || sent.phoneNumbers ? { threepids: threepids(sent, []) } : {}),
  };
  return { ...(name ? { displayname: name } : {}), ...ids, ...passwordOf(settings, sent) };
}

/**
 * The body of a request that brings an account to what a directory says of it: only what differs, so that what others change at the
 * same time remains. Empty if nothing differs.
 *
 * @throws ScimError for another name: user ids never change
 */
export function changeOf(settings: ScimSettings, account: ShownAccount, sent: SentUser): object {
  const { userName, externalId, displayName, active } = sent;
  if (userName !== undefined && userName.toLowerCase() !== localpartOf(account.name))
    throw badRequest(
      'mutability',
      "'userName' cannot be changed: it is a part of the user id, which never changes",
    );
  const present = toResource(settings, account);
  // A deactivated account has neither addresses nor a password.
  const hasMore = settings.inactive === 'lock' || (active ?? present.active);
  const body: Record<string, unknown> = { ...(hasMore ? passwordOf(settings, sent) : {}) };
  if (displayName !== undefined && displayName !== (present.displayName ?? null))
    body.displayname = displayName ?? '';
  if (externalId !== undefined && externalId !== (present.externalId ?? null)) {
    const others = account.externalIds.filter(({ authProvider }) => authProvider !== settings.authProvider);
    body.external_ids = [
      ...others.map((other) => ({ auth_provider: other.authProvider, external_id: other.externalId })),
      ...(externalId === null ? [] : [ownId(settings, externalId)]),
    ];
  }
  const wanted = threepids(sent, account.threepids);
  if (hasMore && JSON.stringify(wanted) !== JSON.stringify(account.threepids.map(stated)))
    body.threepids = wanted;
  return {
    ...body,
    ...(active === undefined || active === present.active ? {} : stateOf(settings, active, body)),
  };
}

/** What makes an account active or inactive. */
function stateOf({ inactive, passwordsStored }: ScimSettings, active: boolean, body: object): object {
  if (inactive === 'lock') return { locked: !active };
  // An account is active again without the password that it had.
  return {
    deactivated: !active,
    ...(active && passwordsStored && !('password' in body) ? { password: null } : {}),
  };
}

function ownId({ authProvider }: ScimSettings, externalId: string): object {
  return { auth_provider: authProvider, external_id: externalId };
}

function passwordOf({ passwordsStored }: ScimSettings, { password }: SentUser): object {
  return password === undefined || !passwordsStored ? {} : { password };
}

function threepids(
  sent: SentUser,
  held: readonly { readonly medium: string; readonly address: string }[],
): readonly object[] {
  const of = (medium: string, addresses: readonly string[] | undefined) =>
    addresses?.map((address) => ({ medium, address })) ??
    held.filter((one) => one.medium === medium).map(stated);
  if (!sent.emails && !sent.phoneNumbers) return held.map(stated);
  return [...of(MEDIUM_OF.emails, sent.emails), ...of(MEDIUM_OF.phoneNumbers, sent.phoneNumbers)];
}

function stated({ medium, address }: { readonly medium: string; readonly address: string }) {
  return { medium, address };
}
