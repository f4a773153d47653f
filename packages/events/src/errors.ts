/** The bus cannot take or deliver anything at present: it is closed, or its broker is away. Trying later may help. */
export class BusUnavailable extends Error {
  override readonly name = 'BusUnavailable';
}
