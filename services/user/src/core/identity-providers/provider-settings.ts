import type { Config } from '@steward/config';

/** The settings of one identity provider, see `oidc.providers`. */
export type ProviderSettings = Config['oidc']['providers'][number];
