import type { z } from 'zod';
import { listSettings } from './list-settings.ts';
import type { schema } from './schema.ts';

type Sections = Pick<
  z.output<typeof schema>,
  | 'store'
  | 'bus'
  | 'services'
  | 'oidc'
  | 'server'
  | 'registration'
  | 'delegated_authentication'
  | 'sessions'
  | 'passwords'
>;

/** Settings of one section that are set together or not at all. */
const PAIRS = [
  ['store.user', 'store.password_file'],
  ['store.certificate_file', 'store.key_file'],
  ['bus.nats_user', 'bus.nats_password_file'],
  ['bus.nats_certificate_file', 'bus.nats_key_file'],
] as const;

/** What a server can log in to each engine with, at most one of which may be set. */
const CREDENTIALS = [
  { url: 'store.url', settings: ['store.user'] },
  { url: 'bus.nats_url', settings: ['bus.nats_user', 'bus.nats_credentials_file', 'bus.nats_nkey_file'] },
] as const;

/** The user name, password or token in a URL. */
const USER_INFO = /:\/\/[^/]+@/;

/**
 * The problems of settings for connections to the engines, between processes and to identity providers that contradict each other,
 * one line each.
 */
export function findContradictions(sections: Sections): string[] {
  return [
    ...contradictionsOfEngines(sections),
    ...contradictionsOfServices(sections.services),
    ...contradictionsOfProviders(sections),
    ...contradictionsOfSecondFactors(sections),
    ...contradictionsOfDelegation(sections),
  ];
}

function contradictionsOfProviders({
  oidc: { providers },
  server,
  registration,
  delegated_authentication,
}: Sections): string[] {
  const problems: string[] = [];
  if (providers.length > 0 && server.public_baseurl === undefined)
    problems.push(
      `oidc.providers: needs ${named('server.public_baseurl')}, to which providers send browsers back`,
    );
  if (
    providers.length > 0 &&
    delegated_authentication.enabled &&
    delegated_authentication.issuer === undefined
  )
    problems.push(`oidc.providers: excludes ${named('delegated_authentication.enabled')} without an issuer`);
  for (const { id, create } of providers)
    if (create === 'approval' && !registration.require_approval)
      problems.push(`oidc.providers (${id}): create: approval needs registration.require_approval`);
  return problems;
}

/** Who can neither log in with a password nor with a provider could not enrol, and would have no rights. */
function contradictionsOfSecondFactors({ sessions, passwords, oidc }: Sections): string[] {
  const canSignIn = passwords.enabled || oidc.providers.length > 0;
  return sessions.require_second_factor === 'off' || canSignIn
    ? []
    : [
        'sessions.require_second_factor: needs passwords.enabled or oidc.providers, to sign in to the console',
      ];
}

/** An issuer has all accounts: what lets users in without it would let in users whom it has shut out. */
function contradictionsOfDelegation({
  delegated_authentication: { issuer, enabled, client_id, ...others },
  registration,
  sessions,
}: Sections): string[] {
  const section = 'delegated_authentication';
  if (issuer === undefined) {
    const stray = (['introspection_endpoint', 'client_secret_file'] as const).filter(
      (key) => others[key] !== undefined,
    );
    return [...(client_id === undefined ? [] : ['client_id']), ...stray].map(
      (key) => `${section}.${key}: needs ${section}.issuer`,
    );
  }
  return [
    ...(enabled ? [] : [`${section}.issuer: needs ${named(`${section}.enabled`)}`]),
    ...(client_id === undefined ? [`${section}.issuer: needs ${section}.client_id`] : []),
    ...(registration.enabled ? [`${section}.issuer: excludes ${named('registration.enabled')}`] : []),
    ...(registration.guests ? [`${section}.issuer: excludes ${named('registration.guests')}`] : []),
    ...(sessions.require_second_factor === 'off'
      ? []
      : [`${section}.issuer: excludes ${named('sessions.require_second_factor')}; the issuer requires it`]),
  ];
}

function contradictionsOfEngines({ store, bus }: Pick<Sections, 'store' | 'bus'>): string[] {
  const set = new Map<string, string>();
  for (const [section, values] of Object.entries({ store, bus }))
    for (const [key, value] of Object.entries(values)) set.set(`${section}.${key}`, value);
  const problems: string[] = [];
  for (const [one, other] of PAIRS) {
    if (set.has(one) && !set.has(other)) problems.push(`${named(one)}: needs ${named(other)}`);
    if (set.has(other) && !set.has(one)) problems.push(`${named(other)}: needs ${named(one)}`);
  }
  for (const { url, settings } of CREDENTIALS) {
    const [first, second] = settings.filter((name) => set.has(name));
    if (first === undefined) continue;
    if (second !== undefined) problems.push(`${named(second)}: excludes ${named(first)}; set one of them`);
    if (USER_INFO.test(set.get(url) ?? ''))
      problems.push(`${named(first)}: excludes credentials in ${named(url)}`);
  }
  return problems;
}

/** The files for TLS are set together, and then every URL is an https one. */
function contradictionsOfServices({ tls, ...services }: Sections['services']): string[] {
  const files = ['ca_file', 'certificate_file', 'key_file'] as const;
  const [given] = files.filter((key) => tls[key] !== undefined);
  const problems = files
    .filter((key) => given !== undefined && tls[key] === undefined)
    .map((key) => `${named(`services.tls.${given}`)}: needs ${named(`services.tls.${key}`)}`);
  const scheme = given === undefined ? 'http' : 'https';
  const reason = given === undefined ? 'without services.tls' : 'with services.tls';
  for (const key of ['user_urls', 'room_urls', 'media_urls', 'moderation_urls'] as const)
    if (services[key].some((url) => new URL(url).protocol !== `${scheme}:`))
      problems.push(`${named(`services.${key}`)}: must be ${scheme}:// URLs ${reason}`);
  return problems;
}

function named(name: string): string {
  const { env } = listSettings().find(({ path }) => path.join('.') === name) ?? {};
  return env === undefined ? name : `${name} (${env})`;
}
