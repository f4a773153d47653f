import type { Deps } from '../../core/deps.ts';

/** What uploads may be like (client-plane.md 7.12). */
export function getConfig({ settings }: Pick<Deps, 'settings'>): { uploadSize: bigint } {
  return { uploadSize: BigInt(settings.maxUploadBytes) };
}
