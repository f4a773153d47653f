/** The host of an http or https URL: a name in lower case without a final dot, or an IP address without brackets. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
}
