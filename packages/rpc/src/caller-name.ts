import { headers } from './headers.ts';
import type { Requester } from './requester.ts';

const ADMINISTRATOR = 'administrator ';
const USER = 'user ';

/** Names the caller in the header of an answer: the account of the token, and whether it is an administrator. */
export function nameCaller(header: Headers, { owner, admin }: Pick<Requester, 'owner' | 'admin'>): void {
  header.set(headers.callerName, (admin ? ADMINISTRATOR : USER) + encodeURIComponent(owner));
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
