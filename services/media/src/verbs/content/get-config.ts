import type { Deps } from '../../core/deps.ts';

/** Returns the limits of uploads (client-plane.md 7.12). */
export function getConfig({ settings }: Pick<Deps, 'settings'>): { uploadSize: bigint } {
  return { uploadSize: BigInt(settings.maxUploadBytes) };
}
