import { refuse } from '@steward/errors';

/** The longest address of an app, in characters. */
const MAX_LENGTH = 4_096;

/** What the parser of URLs removes without a word. */
const REMOVED = /[\s\p{Cc}]/u;

/** Schemes whose addresses are programs, files or pages of the browser itself, and not apps. */
const REFUSED_SCHEMES: ReadonlySet<string> = new Set([
  'about:',
  'blob:',
  'chrome:',
  'data:',
  'file:',
  'filesystem:',
  'intent:',
  'javascript:',
  'mhtml:',
  'resource:',
  'search-ms:',
  'vbscript:',
  'view-source:',
]);

/** Those of Windows that open programs with arguments. */
const PROGRAM_SCHEME = /^ms-/;

/**
 * The address of an app that asks for a sign-in.
 *
 * @throws refuse.missingParam, refuse.invalidParam
 */
export function parseAppUrl(text: string): URL {
  if (text === '') throw refuse.missingParam("'redirectUrl' is missing: the app does not say where it is");
  const url = text.length > MAX_LENGTH || REMOVED.test(text) ? null : URL.parse(text);
  if (!url) throw refuse.invalidParam("'redirectUrl' is not the address of an app");
  const { protocol, username, password, hostname } = url;
  const isWeb = protocol === 'http:' || protocol === 'https:';
  if (REFUSED_SCHEMES.has(protocol) || PROGRAM_SCHEME.test(protocol) || username !== '' || password !== '')
    throw refuse.invalidParam("'redirectUrl' is not an address to which a sign-in can lead");
  if (isWeb && hostname === '') throw refuse.invalidParam("'redirectUrl' is not the address of an app");
  return url;
}

/** What a user is shown of an app: the origin of a page, the scheme of another app. */
export function shownApp({ protocol, host }: URL): string {
  return protocol === 'https:' || protocol === 'http:' ? `${protocol}//${host}` : protocol;
}

/** The address of an app with a login token. */
export function withLoginToken(url: URL, loginToken: string): string {
  const result = new URL(url);
  result.searchParams.set('loginToken', loginToken);
  return result.href;
}

/**
 * Whether an app is on the list of `oidc.redirect_allowlist`. Of an address, the origin and the beginning of the path are compared,
 * segment by segment, as the browser will use them.
 */
export function isAllowedApp(app: URL, allowlist: readonly string[]): boolean {
  return allowlist.some((entry) => {
    const allowed = URL.parse(entry);
    if (!allowed || app.protocol !== allowed.protocol) return false;
    if (/^[a-z0-9+.-]+:$/.test(entry)) return true;
    if (app.host !== allowed.host) return false;
    const path = allowed.pathname;
    return app.pathname === path || app.pathname.startsWith(path.endsWith('/') ? path : `${path}/`);
  });
}
