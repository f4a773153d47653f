import {
  type DestinationStream,
  type Logger,
  type LoggerOptions as PinoOptions,
  pino,
  stdTimeFunctions,
} from 'pino';
import { formatLine } from './format-line.ts';
import { standardOutput } from './line-writer.ts';
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

/**
 * Creates a logger that writes one line per entry. Values of secret keys, up to three levels deep, and
 * tokens in `url` are replaced; callers must keep secrets out of the text of a message.
 */
export function createLogger({
  level,
  name,
  format = 'json',
  destination = standardOutput(),
}: LoggerOptions): Logger {
  return openLog(level, name, format === 'json' ? destination : asText(destination), {
    redact: { paths: SECRET_PATHS, censor: REDACTED },
    serializers: { url: (url: unknown) => (typeof url === 'string' ? redactUrl(url) : url) },
  });
}

/** Opens a log whose lines have the form of all lines of steward. */
export function openLog(
  level: string,
  name: string,
  destination: DestinationStream,
  options: PinoOptions = {},
): Logger {
  const timestamp = stdTimeFunctions.isoTime;
  const formatters = { level: (label: string) => ({ level: label }) };
  return pino({ level, base: { name }, timestamp, formatters, ...options }, destination);
}

/** Converts lines to text for people; the destination learns the level of each line as before. */
function asText(destination: DestinationStream & { lastLevel?: number }): DestinationStream {
  return {
    [pino.symbols.needsMetadataGsym]: true,
    set lastLevel(level: number) {
      destination.lastLevel = level;
    },
    write: (line) => destination.write(formatLine(line)),
  } as DestinationStream;
}
