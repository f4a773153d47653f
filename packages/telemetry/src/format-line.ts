/** The length of the longest level name, to align the columns. */
const LEVEL_WIDTH = 5;

/** Formats a JSON line of the log for humans: time, level, name, message, the rest as `key=value`. */
export function formatLine(line: string): string {
  const { time, level, name, msg = '', err, ...rest } = JSON.parse(line);
  const { stack, message, ...details } = err ?? {};
  const values = Object.entries({ ...rest, ...details }).map(
    ([key, value]) => ` ${key}=${JSON.stringify(value)}`,
  );
  const failure = err === undefined ? '' : `\n${stack ?? message ?? JSON.stringify(err)}`;
  return `${time} ${String(level).toUpperCase().padEnd(LEVEL_WIDTH)} ${name}: ${msg}${values.join('')}${failure}\n`;
}
