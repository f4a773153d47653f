import { type DocumentedEndpoint, endpointsOf } from './documented-endpoints.ts';

/** The documented endpoints that are not served yet. An endpoint that is served must leave this list. */
export const knownGaps: readonly DocumentedEndpoint[] = endpointsOf([]);
