/** A logger of the client library that drops everything. */
export interface SilentLogger {
  trace(): void;
  debug(): void;
  info(): void;
  log(): void;
  warn(): void;
  error(): void;
  getChild(): SilentLogger;
}

/** Drops everything that matrix-js-sdk would log. */
export const silentLogger: SilentLogger = {
  trace() {},
  debug() {},
  info() {},
  log() {},
  warn() {},
  error() {},
  getChild: () => silentLogger,
};
