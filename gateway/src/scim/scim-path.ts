/** The path below which the SCIM service is served. */
export const SCIM_PATH = '/_service/scim/v2';

/** Whether a URL is one of the SCIM service, whose refusals have a form of their own. */
export function isScim(url: string): boolean {
  return url.startsWith(SCIM_PATH) && /^(?:[/?]|$)/.test(url.slice(SCIM_PATH.length));
}
