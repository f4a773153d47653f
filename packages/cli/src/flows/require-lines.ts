import { usageFailure } from '../io/exit.ts';
import type { Output } from '../output/output.ts';

/**
 * Refuses formats that are written when all is known, for a command that writes as things happen.
 *
 * @param what what is written, such as `tasks are watched`
 * @throws a usage failure
 */
export function requireLines({ format }: Output, what: string): void {
  if (format === 'json' || format === 'yaml')
    throw usageFailure(`--output ${format} needs a result that ends; ${what} as table or ndjson`);
}
