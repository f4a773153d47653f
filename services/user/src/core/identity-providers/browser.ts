import { createHmac } from 'node:crypto';
import { newMarkedSecret, type Random, secretInCookies } from '@steward/kernel';
import { PROVIDER_SIGN_IN_LIFE_MS } from '../model/provider-sign-in.ts';
import type { SignInSecrets } from './identity-provider.ts';

const NAME = 'steward-sign-in';

/** Browsers accept a cookie of this prefix only over TLS, and only from the host itself. */
const HOST_PREFIX = '__Host-';

/** With what the secret begins that a browser holds during a sign-in. */
const PREFIX = 'swb_';

const MS_PER_S = 1_000;

/** Whether browsers reach the server over TLS. */
function isSecure(publicBaseUrl: string | undefined): boolean {
  return publicBaseUrl?.startsWith('https:') === true;
}

function nameOf(publicBaseUrl: string | undefined): string {
  return isSecure(publicBaseUrl) ? HOST_PREFIX + NAME : NAME;
}

/** The secret of a browser, from the header Cookie; undefined if it has none. */
export function browserSecret(cookies: string, publicBaseUrl: string | undefined): string | undefined {
  return secretInCookies(cookies, nameOf(publicBaseUrl), PREFIX);
}

/** A new secret for a browser. */
export function newBrowserSecret(random: Random): string {
  return newMarkedSecret(PREFIX, random);
}

/** The cookie with a secret. The browser sends it when the provider, another site, sends it back; scripts cannot read it. */
export function browserCookie(secret: string, publicBaseUrl: string | undefined): string {
  const maxAgeS = PROVIDER_SIGN_IN_LIFE_MS / MS_PER_S;
  const secure = isSecure(publicBaseUrl) ? '; Secure' : '';
  return `${nameOf(publicBaseUrl)}=${secret}; Path=/; Max-Age=${maxAgeS}; HttpOnly; SameSite=Lax${secure}`;
}

/**
 * The secrets of a sign-in. They follow from that of the browser, so that the store holds nothing with which another browser could
 * complete it.
 */
export function secretsOf(browser: string, state: string): SignInSecrets {
  return {
    state,
    nonce: derive(browser, `nonce ${state}`),
    verifier: derive(browser, `verifier ${state}`),
  };
}

/**
 * What a link in a page holds that asks the user for a confirmation: another site, which does not know the secret of the browser, cannot
 * make the link.
 */
export function confirmationOf(browser: string, session: string): string {
  return derive(browser, `confirmation ${session}`);
}

function derive(browser: string, purpose: string): string {
  return createHmac('sha256', browser).update(purpose).digest('base64url');
}
