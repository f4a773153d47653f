import { refuse } from '@steward/errors';
import type { Deps } from '../../core/deps.ts';

/** @throws refuse.notFound where nobody said */
export function publicBaseUrl({ publicBaseUrl: url }: Deps['settings']): string {
  if (url === undefined) throw refuse.notFound('Nobody said where the server is reached');
  return url;
}
