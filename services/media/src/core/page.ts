/** The default number of rows on a page. */
export const DEFAULT_LIMIT = 100;

/** The maximum number of rows on a page; `next_token` continues after it. */
export const MAX_LIMIT = 10_000;
