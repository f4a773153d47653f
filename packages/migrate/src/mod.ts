/** Readers of other homeservers: what they store, as records that the import reads. */

export type { Carried, Found, LeftOut, Lesser, OldHomeserver, Part, Positions } from './part.ts';
export { openReference, type Reference } from './reference/open-reference.ts';
export { type ReferenceSettings, readSettings } from './reference/settings.ts';
export { openServer, type Server } from './verify/server.ts';
export { type Unexplained, verifyHomeserver } from './verify/verify-homeserver.ts';
