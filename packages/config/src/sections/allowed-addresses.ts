import { z } from 'zod';
import { settings } from '../setting.ts';
import { isReachable } from './reachable.ts';

/**
 * The addresses inside that some requests to other servers may reach.
 *
 * @param what the requests
 * @param env the variable
 * @param example an example of such addresses, after a comma; none when empty
 */
export function allowedAddresses(what: string, env: `STEWARD_${string}`, example = '') {
  const address = z
    .string()
    .refine(isReachable, 'must be an IP address, a range in CIDR notation or a host name in lower case');
  return z
    .array(address)
    .default([])
    .register(settings, {
      env,
      governs: `IP addresses, ranges in CIDR notation and host names that ${what} may reach although they are inside: private, loopback, link-local and other special addresses${example}. A host name stands for all its addresses; it is looked up as the machine does, with its hosts file`,
    });
}
