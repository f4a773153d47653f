import { refuse } from '@steward/errors';
import type { Deps } from '../../core/deps.ts';

/** @throws refuse.notFound when it is not configured */
export function publicBaseUrl({ publicBaseUrl: url }: Deps['settings']): string {
  if (url === undefined) throw refuse.notFound('The public base URL is not configured');
  return url;
}
