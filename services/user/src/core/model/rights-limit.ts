/**
 * The names of the scopes that a credential carries at most, whatever its account has now or gains later: those of whoever made the
 * credential. `null` for no limit: its user made it, or somebody with all scopes.
 */
export type RightsLimit = readonly string[] | null;
