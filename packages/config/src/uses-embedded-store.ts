import type { Config } from './load.ts';

/** Whether the settings name the embedded store, one file in the data directory that one process opens. */
export function usesEmbeddedStore({ store }: Pick<Config, 'store'>): boolean {
  return store.url === 'sqlite';
}
