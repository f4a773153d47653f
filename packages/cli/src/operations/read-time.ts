import { usageFailure } from '../io/exit.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** How long a unit is, in milliseconds; a unit is named by its first letter or its word. */
const UNITS: readonly (readonly [name: RegExp, ms: number])[] = [
  [/^s(?:ec(?:ond)?s?)?$/, SECOND],
  [/^m(?:in(?:ute)?s?)?$/, MINUTE],
  [/^h(?:ours?)?$/, HOUR],
  [/^d(?:ays?)?$/, DAY],
  [/^w(?:eeks?)?$/, 7 * DAY],
  [/^y(?:ears?)?$/, 365 * DAY],
];

const NUMBER = /^-?\d+$/;
const RELATIVE = /^(?:(?<sign>[+-])|(?<future>in )?)(?<count>\d{1,9}) ?(?<unit>[a-z]+)(?<past> ago)?$/i;
const ISO =
  /^(?<date>\d{4}-\d{2}-\d{2})(?:[T ](?<time>\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?)(?<zone>Z|[+-]\d{2}:?\d{2})?)?$/i;

/** How a message and the help name the forms of a time. */
export const TIME_FORMS = '2026-11-01, 2026-11-01T10:00Z, -7d, +7d or milliseconds since 1970';

/**
 * Returns a point in time, in milliseconds since the Unix epoch: a date (its beginning) or a time of ISO 8601, in UTC unless it names a
 * zone; a distance to the present time; or the number itself.
 *
 * @param label how messages name it
 * @param now in milliseconds since the Unix epoch
 * @throws CommandFailure for another text
 */
export function readTime(text: string, label: string, now: number): number {
  const value = NUMBER.test(text) ? Number(text) : (relativeTime(text, now) ?? isoTime(text));
  if (value === undefined || !Number.isSafeInteger(value))
    throw usageFailure(`${label} is a time, such as ${TIME_FORMS}, not ${text}`);
  return value;
}

function relativeTime(text: string, now: number): number | undefined {
  if (text.toLowerCase() === 'now') return now;
  const { sign, future, count, unit = '', past } = RELATIVE.exec(text.trim())?.groups ?? {};
  const ms = UNITS.find(([name]) => name.test(unit.toLowerCase()))?.[1];
  // Without a direction it could be meant either way.
  const directions = [sign, future, past].filter((each) => each !== undefined);
  if (ms === undefined || directions.length !== 1) return undefined;
  const distance = Number(count) * ms;
  return sign === '+' || future !== undefined ? now + distance : now - distance;
}

function isoTime(text: string): number | undefined {
  const { date, time = '00:00', zone = 'Z' } = ISO.exec(text)?.groups ?? {};
  if (date === undefined) return undefined;
  const offset = zone.toUpperCase().replace(/^([+-]\d{2})(\d{2})$/, '$1:$2');
  const value = Date.parse(`${date}T${time}${offset}`);
  const day = new Date(`${date}T00:00Z`);
  // A day that a month does not have would be one of the next month.
  const isDay = !Number.isNaN(day.getTime()) && day.toISOString().startsWith(date);
  return Number.isNaN(value) || !isDay ? undefined : value;
}
