/** The broker refuses the client, or the client the broker; a later attempt with the same credentials fails like this one. */
export class BusRefused extends Error {
  override readonly name = 'BusRefused';
}

/** The bus cannot accept or deliver anything now: it is closed, or its broker is unreachable. A later retry may succeed. */
export class BusUnavailable extends Error {
  override readonly name = 'BusUnavailable';
}
