/** The dialect of a request and its answer: steward's own, or that of the compatibility prefix (behaviour.md). */
export type Profile = 'native' | 'compat';
