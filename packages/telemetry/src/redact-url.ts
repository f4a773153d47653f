/** The parameters whose values are secret: tokens, and what clients might send in the query although it belongs in a body. */
const SECRET_PARAMETERS: ReadonlySet<string> = new Set([
  'access_token',
  'token',
  'refresh_token',
  'password',
  'new_password',
  'totp',
  'recovery_code',
  // Of a sign-in with an identity provider
  'code',
  'id_token',
  'loginToken',
]);

/** Replaces secrets in logs. */
export const REDACTED = '[redacted]';

/** The URL or path with the value of every secret parameter replaced, for any encoding of its name. */
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
