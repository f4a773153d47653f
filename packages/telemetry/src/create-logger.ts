import {
  type DestinationStream,
  type Logger,
  destination as openDestination,
  pino,
  stdTimeFunctions,
} from 'pino';
import { formatLine } from './format-line.ts';
import { REDACTED, redactUrl } from './redact-url.ts';

export type { Logger };

/** The levels of a log, the most severe first; `silent` logs nothing. */
export type LogLevel = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent';

/** The options of a logger. */
export interface LoggerOptions {
  /** The least severe level that is logged. */
  readonly level: LogLevel;
  /** The process, or the part of it, that logs; part of every line. */
  readonly name: string;
  /** `json`, the default, for programs; `text` for humans. */
  readonly format?: 'json' | 'text';
  /** The destination of lines; standard output by default. */
  readonly destination?: DestinationStream;
}

/** The keys whose values must not be logged. */
const SECRET_KEYS = [
  'access_token',
  'accessToken',
  'authorization',
  'Authorization',
  'cookie',
  'mac',
  'new_password',
  'newPassword',
  'nonce',
  'password',
  'shared_secret',
  'sharedSecret',
  'token',
];

/** How deep secrets are searched: the headers of a logged request are the deepest place for one. */
const SECRET_PATHS = SECRET_KEYS.flatMap((key) => [key, `*.${key}`, `*.*.${key}`]);

const STANDARD_OUTPUT_FD = 1;

/**
 * Creates a logger that writes one line per entry, immediately. Values of secret keys, up to three levels deep, and
 * tokens in `url` are replaced; callers must keep secrets out of the text of a message.
 */
export function createLogger({ level, name, format = 'json', destination }: LoggerOptions): Logger {
  const lines = destination ?? openDestination({ fd: STANDARD_OUTPUT_FD, sync: true });
  return pino(
    {
      level,
      base: { name },
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: SECRET_PATHS, censor: REDACTED },
      serializers: { url: (url: unknown) => (typeof url === 'string' ? redactUrl(url) : url) },
    },
    format === 'json' ? lines : { write: (line) => lines.write(formatLine(line)) },
  );
}
