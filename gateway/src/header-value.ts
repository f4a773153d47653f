/** The value of a request's header; the first one of a header that is there several times. */
export function headerValue(value: string | readonly string[] | undefined): string | undefined {
  return typeof value === 'string' ? value : value?.[0];
}
