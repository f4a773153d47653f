import { createClient } from '@steward/sdk';

/** The API of the server that serves this page. The cookie of the administrator session is the credential. */
export const client = createClient({ baseUrl: '' });
