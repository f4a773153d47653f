import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { localeOf } from './locale.ts';

const MS_PER_S = 1_000;
const UNITS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['year', 365 * 86_400],
  ['month', 30 * 86_400],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
];
const BYTE_UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte', 'petabyte'];
const BYTES_PER_UNIT = 1_000;

/** How numbers, sizes and times are written in the language and the region of the user. */
export interface Format {
  /** For what else is written by `Intl`. */
  readonly locale: string;
  readonly number: (value: number) => string;
  /** A short form for large numbers, such as 1.2M. */
  readonly compact: (value: number) => string;
  readonly bytes: (value: number) => string;
  /** A time in milliseconds since the Unix epoch, with date and time of day. */
  readonly dateTime: (ms: number) => string;
  readonly date: (ms: number) => string;
  /** The distance of a time to now, such as "3 hours ago". */
  readonly relative: (ms: number, now?: number) => string;
  /** A length of time in milliseconds, in its largest unit. */
  readonly duration: (ms: number) => string;
}

/** Returns how to write numbers and times. */
export function useFormat(): Format {
  const { i18n } = useTranslation();
  return useMemo(() => formatOf(localeOf(i18n.language, navigator.languages)), [i18n.language]);
}

function formatOf(locale: string): Format {
  const number = new Intl.NumberFormat(locale);
  const compact = new Intl.NumberFormat(locale, { notation: 'compact', maximumFractionDigits: 1 });
  const dateTime = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' });
  const date = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' });
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
  const largest = (seconds: number) =>
    UNITS.find(([, size]) => Math.abs(seconds) >= size) ?? (['second', 1] as const);
  return {
    locale,
    number: (value) => number.format(value),
    compact: (value) => compact.format(value),
    bytes(value) {
      const power = value < 1 ? 0 : Math.min(Math.floor(Math.log(value) / Math.log(BYTES_PER_UNIT)), 5);
      return new Intl.NumberFormat(locale, {
        style: 'unit',
        unit: BYTE_UNITS[power] ?? 'byte',
        unitDisplay: power === 0 ? 'long' : 'short',
        maximumFractionDigits: power === 0 ? 0 : 1,
      }).format(value / BYTES_PER_UNIT ** power);
    },
    // A time that no calendar has is shown as the number that it is.
    dateTime: (ms) => (isDate(ms) ? dateTime.format(ms) : String(ms)),
    date: (ms) => (isDate(ms) ? date.format(ms) : String(ms)),
    relative(ms, now = Date.now()) {
      const seconds = (ms - now) / MS_PER_S;
      const [unit, size] = largest(seconds);
      return relative.format(Math.trunc(seconds / size), unit);
    },
    duration(ms) {
      const seconds = ms / MS_PER_S;
      const [unit, size] = largest(seconds);
      return new Intl.NumberFormat(locale, {
        style: 'unit',
        unit,
        unitDisplay: 'long',
        maximumFractionDigits: seconds < 1 ? 2 : 0,
      }).format(seconds / size);
    },
  };
}

function isDate(ms: number): boolean {
  return !Number.isNaN(new Date(ms).getTime());
}
