/** Configuration: the settings, their sources and their reference. */
export { changedSettings } from './changed-settings.ts';
export { ConfigError } from './config-error.ts';
export { configSchema, type JsonSchema } from './json-schema.ts';
export { type Config, type ConfigSources, type LoadedConfig, loadConfig } from './load.ts';
export { configReference } from './reference.ts';
export { BUILT_IN_USER_TYPES } from './sections/accounts.ts';
export { usesEmbeddedStore } from './uses-embedded-store.ts';
