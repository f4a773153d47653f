/** A contract that cannot be served as declared. Thrown at start only; names the method and the field. */
export class StartupError extends Error {
  override readonly name = 'StartupError';
}
