import { hasScopes, type Rights } from './access.ts';
import { headers } from './headers.ts';
import type { Requester } from './requester.ts';

const ADMINISTRATOR = 'administrator ';
const USER = 'user ';

/** Names the caller in the header of an answer: the account of the token, and whether the caller has any scope. */
export function nameCaller(header: Headers, caller: Rights & Pick<Requester, 'owner'>): void {
  header.set(
    headers.callerName,
    (hasScopes(caller) ? ADMINISTRATOR : USER) + encodeURIComponent(caller.owner),
  );
}

/** The caller whom an answer names, if it names one. */
export function readCallerName(
  header: Headers,
): { readonly userId: string; readonly admin: boolean } | undefined {
  const text = header.get(headers.callerName);
  if (text === null) return undefined;
  const admin = text.startsWith(ADMINISTRATOR);
  return { userId: decodeURIComponent(text.slice((admin ? ADMINISTRATOR : USER).length)), admin };
}
