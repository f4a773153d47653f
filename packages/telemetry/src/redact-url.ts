/** The parameters whose values let somebody in: access tokens, and tokens that admit to registration. */
const SECRET_PARAMETERS: ReadonlySet<string> = new Set(['access_token', 'token']);

/** What stands in a log in place of a secret. */
export const REDACTED = '[redacted]';

/** The URL or path with the value of every secret parameter hidden, however its name is encoded. */
export function redactUrl(url: string): string {
  const query = url.indexOf('?');
  if (query < 0) return url;
  const fragment = url.indexOf('#', query);
  const end = fragment < 0 ? url.length : fragment;
  const parameters = url
    .slice(query + 1, end)
    .split('&')
    .map(redactParameter);
  return `${url.slice(0, query)}?${parameters.join('&')}${url.slice(end)}`;
}

function redactParameter(parameter: string): string {
  const [name = ''] = parameter.split('=', 1);
  return SECRET_PARAMETERS.has(decode(name)) ? `${name}=${REDACTED}` : parameter;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
