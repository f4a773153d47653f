/** The broker refuses the credentials; a later attempt with the same ones fails like this one. */
export class BusRefused extends Error {
  override readonly name = 'BusRefused';
}

/** The bus cannot accept or deliver anything now: it is closed, or its broker is unreachable. A later retry may succeed. */
export class BusUnavailable extends Error {
  override readonly name = 'BusUnavailable';
}
