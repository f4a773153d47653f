/** The bus cannot accept or deliver anything now: it is closed, or its broker is unreachable. A later retry may succeed. */
export class BusUnavailable extends Error {
  override readonly name = 'BusUnavailable';
}
