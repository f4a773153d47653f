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

/** How a logger is set up. */
export interface LoggerOptions {
  /** The least severe level that is logged. */
  readonly level: LogLevel;
  /** The process or part of it that logs; stands in every line. */
  readonly name: string;
  /** `json`, the default, for machines; `text` for people. */
  readonly format?: 'json' | 'text';
  /** Where lines go; standard output when left out. */
  readonly destination?: DestinationStream;
}

/** The keys whose values no log may hold. */
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

/** Logged objects are small: a header within the headers of a request is as deep as a secret may hide. */
const SECRET_PATHS = SECRET_KEYS.flatMap((key) => [key, `*.${key}`, `*.*.${key}`]);

const STANDARD_OUTPUT_FD = 1;

/**
 * Makes a logger: one line an entry, written at once. Values of secret keys, up to three levels deep,
 * and tokens in `url` are replaced; what stands in the text of a message is the caller's to mind.
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
