import { cleanText } from '../input/clean-text.ts';

/** A filter of a list, as it is in the URL of the page. All values in the URL are texts. */
export interface Filter {
  /** The name in the URL, and of the parameter of the API. */
  readonly id: string;
  readonly label: string;
  /** `flag`: yes, no or any. `time`: a local date and time. `choices`: several of the options. */
  readonly kind: 'text' | 'number' | 'flag' | 'choice' | 'choices' | 'time';
  /** The values of a choice. */
  readonly options?: readonly { readonly value: string; readonly label: string }[] | undefined;
  readonly placeholder?: string | undefined;
}

/** The values of filters in a URL: a text, or several for `choices`. */
export type Search = Readonly<Record<string, string | readonly string[] | undefined>>;

/** What a page keeps in its URL: the filters by id and kind, and whatever else it names. */
export type FilterKinds = Readonly<Record<string, Filter['kind']>>;

const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/;

/**
 * Keeps what is well-formed of the query of a URL, so that a link that was cut or made by hand still opens the page. What
 * is not is undefined, not absent: the router takes the value of the URL for what is absent.
 */
export function readSearch(kinds: FilterKinds, query: Readonly<Record<string, unknown>>): Search {
  const search: Record<string, string | readonly string[] | undefined> = {};
  for (const [id, kind] of Object.entries(kinds)) {
    const given = query[id];
    if (given === undefined) continue;
    const values = (Array.isArray(given) ? given : [given])
      .filter((each) => each !== undefined && each !== null)
      .map((each) => cleanText(String(each)))
      .filter((each) => each !== '' && isWellFormed(kind, each));
    const [first] = values;
    search[id] = first !== undefined && kind === 'choices' ? values : first;
  }
  return search;
}

/** Returns the parameters of the API for the filters of a URL. */
export function paramsOf(kinds: FilterKinds, search: Search): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(kinds)
      .filter(([id]) => search[id] !== undefined)
      .map(([id, kind]) => [id, parameterOf(kind, search[id] ?? '')]),
  );
}

function isWellFormed(kind: Filter['kind'], value: string): boolean {
  switch (kind) {
    case 'flag':
      return value === 'true' || value === 'false';
    case 'time':
      return TIME.test(value) && !Number.isNaN(Date.parse(value));
    case 'number':
      return /^\d{1,15}$/.test(value);
    default:
      return true;
  }
}

function parameterOf(kind: Filter['kind'], value: string | readonly string[]): unknown {
  if (typeof value !== 'string') return value;
  switch (kind) {
    case 'flag':
      return value === 'true';
    case 'time':
      return Date.parse(value);
    case 'number':
      return Number(value);
    default:
      return value;
  }
}
