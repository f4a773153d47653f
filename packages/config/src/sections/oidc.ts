import { z } from 'zod';
import { settings } from '../setting.ts';
import { allowedAddresses } from './allowed-addresses.ts';
import { providerUrl } from './provider-url.ts';
import { roleName } from './role-name.ts';

/** A person waits for the answer. */
const TIMEOUT_MS = 10_000;
/** The gateway waits 60 s for a step of a sign-in, which may need it twice. */
const MAX_TIMEOUT_MS = 20_000;

const CLOCK_SKEW_MS = 30_000;
const MAX_CLOCK_SKEW_MS = 5 * 60_000;

const MAX_PROVIDERS = 20;

const PROVIDER_ID = /^[a-zA-Z0-9][a-zA-Z0-9_-]{0,63}$/;

const claim = (name: string) => z.string().min(1).max(128).default(name);

const provider = z
  .strictObject({
    id: z
      .string()
      .regex(PROVIDER_ID, "must be at most 64 letters, digits, '_' and '-', the first not '_' or '-'"),
    name: z.string().min(1).max(128),
    issuer: providerUrl,
    authorization_endpoint: providerUrl.optional(),
    token_endpoint: providerUrl.optional(),
    jwks_uri: providerUrl.optional(),
    userinfo_endpoint: providerUrl.optional(),
    client_id: z.string().min(1).max(512),
    client_secret_file: z.string().min(1).optional(),
    client_auth: z.enum(['basic', 'post']).default('basic'),
    scopes: z
      .array(z.string().regex(/^[!#-[\]-~]+$/, 'must be a scope'))
      .default(['openid', 'profile', 'email']),
    claims: z
      .strictObject({
        subject: claim('sub'),
        localpart: claim('preferred_username'),
        display_name: claim('name'),
        email: claim('email'),
      })
      .prefault({}),
    required_claims: z.record(z.string().min(1), z.array(z.string()).min(1)).default({}),
    create: z.enum(['off', 'on', 'approval']).default('off'),
    link_by: z.enum(['none', 'verified_email', 'localpart']).default('none'),
    update_profile: z.boolean().default(false),
    is_second_factor: z.boolean().default(false),
    second_factor_claims: z.record(z.string().min(1), z.array(z.string()).min(1)).default({}),
    roles_claim: z.string().min(1).max(128).optional(),
    roles: z.record(z.string().min(1), roleName).default({}),
    groups_claim: z.string().min(1).max(128).optional(),
    clock_skew_ms: z.int().min(0).max(MAX_CLOCK_SKEW_MS).default(CLOCK_SKEW_MS),
  })
  .refine(({ scopes }) => scopes.includes('openid'), { path: ['scopes'], error: 'must contain openid' })
  .refine(({ roles_claim, roles }) => (roles_claim === undefined) === (Object.keys(roles).length === 0), {
    path: ['roles'],
    error: 'is set together with roles_claim',
  })
  .refine(
    ({ is_second_factor, second_factor_claims }) =>
      is_second_factor || Object.keys(second_factor_claims).length === 0,
    { path: ['second_factor_claims'], error: 'is set together with is_second_factor' },
  )
  // The user who registered the name here first would get the roles, too.
  .refine(({ roles_claim, link_by }) => roles_claim === undefined || link_by !== 'localpart', {
    path: ['roles_claim'],
    error: 'excludes link_by: localpart',
  })
  .refine(({ groups_claim, link_by }) => groups_claim === undefined || link_by !== 'localpart', {
    path: ['groups_claim'],
    error: 'excludes link_by: localpart',
  })
  .refine(
    ({ authorization_endpoint, token_endpoint, jwks_uri, userinfo_endpoint }) => {
      const needed = [authorization_endpoint, token_endpoint, jwks_uri].filter((url) => url !== undefined);
      return needed.length === 3 || (needed.length === 0 && userinfo_endpoint === undefined);
    },
    {
      path: ['authorization_endpoint'],
      error: 'is set together with token_endpoint and jwks_uri, or none of them',
    },
  );

/** Sign-in with identity providers (OpenID Connect). */
export const oidc = z.strictObject({
  providers: z
    .array(provider)
    .max(MAX_PROVIDERS)
    .refine((providers) => new Set(providers.map(({ id }) => id)).size === providers.length, {
      error: 'must have different ids',
    })
    .default([])
    .register(settings, {
      governs:
        'The identity providers with which users sign in, see [identity-providers.md](identity-providers.md), which explains each key. Needs `server.public_baseurl`',
    }),
  redirect_allowlist: z
    .array(
      z.string().refine(isRedirectPrefix, 'must be a URL, or a scheme with a colon such as org.example.app:'),
    )
    .default([])
    .register(settings, {
      governs:
        'The apps that get the result of a sign-in without a question to the user: beginnings of URLs, of which origin and whole segments of the path are compared, and schemes with a colon. All others are shown to the user first',
    }),
  allowed_addresses: allowedAddresses('requests to identity providers', 'STEWARD_OIDC_ALLOWED_ADDRESSES'),
  timeout_ms: z.int().min(1).max(MAX_TIMEOUT_MS).default(TIMEOUT_MS).register(settings, {
    governs:
      'The longest time of a request for the description of an identity provider, and of all other requests of one step of a sign-in together, in milliseconds',
  }),
});

function isRedirectPrefix(text: string): boolean {
  if (/^[a-z][a-z0-9+.-]*:$/.test(text)) return !/^https?:$/.test(text);
  const url = URL.parse(text);
  if (url === null || url.username !== '' || url.search !== '') return false;
  return !text.includes('#');
}
