import { headers } from './headers.ts';

/** The prefix of the secrets of administrator sessions, see `newMarkedSecret`. */
export const SESSION_SECRET_PREFIX = 'sws_';

/** What an answer says about the cookie of an administrator session. */
export interface SessionCookie {
  /** The secret of the session; empty when the cookie is to be cleared. */
  readonly secret: string;
  /** How long browsers keep the cookie, in whole seconds. */
  readonly maxAgeS: number;
}

/** Sets the cookie with the answer of a method that declares `session_cookie`. */
export function setSessionCookie(header: Headers, { secret, maxAgeS }: SessionCookie): void {
  header.set(headers.sessionCookie, `${maxAgeS} ${secret}`);
}

/** Clears the cookie with the answer of such a method. */
export function clearSessionCookie(header: Headers): void {
  setSessionCookie(header, { secret: '', maxAgeS: 0 });
}

/** The cookie that an answer sets or clears, if it does. */
export function readSessionCookie(header: Headers): SessionCookie | undefined {
  const text = header.get(headers.sessionCookie);
  if (text === null) return undefined;
  const [maxAgeS = '', secret = ''] = text.split(' ');
  return { secret, maxAgeS: Number(maxAgeS) };
}
