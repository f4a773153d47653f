/**
 * The names of the scopes that a credential carries at most, whatever its account has now or gains later: those of the maker of the
 * credential. `null` for no limit: its user made it, or a caller with all scopes.
 */
export type RightsLimit = readonly string[] | null;
