/** A page that a visitor has reached. */
export interface Page {
  readonly status: number;
  readonly url: string;
  readonly text: string;
  /** Where it leads, when that is not followed. */
  readonly location: string | undefined;
}

const MAX_REDIRECTS = 20;

/** A browser without scripts: it keeps cookies, follows redirects, and sends forms. */
export class PageVisitor {
  readonly #cookies = new Map<string, Map<string, string>>();

  /** Opens a page, and follows redirects up to one to an origin that `isApp` takes for that of an app. */
  async open(start: string, isApp: (url: URL) => boolean, form?: URLSearchParams): Promise<Page> {
    let url = new URL(start);
    let body = form;
    for (let hop = 0; hop < MAX_REDIRECTS; hop++) {
      const response = await this.#request(url, body);
      const location = response.headers.get('location');
      const text = await response.text();
      if (location === null) return { status: response.status, url: url.href, text, location: undefined };
      const next = new URL(location, url);
      if (isApp(next)) return { status: response.status, url: url.href, text, location: next.href };
      url = next;
      body = undefined;
    }
    throw new Error(`${start} redirects too often`);
  }

  /** The header Cookie that the visitor sends to an origin. */
  cookiesFor(origin: string): string {
    return [...(this.#cookies.get(origin) ?? [])].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  async #request(url: URL, form: URLSearchParams | undefined): Promise<Response> {
    const jar = this.#cookies.get(url.origin) ?? new Map<string, string>();
    this.#cookies.set(url.origin, jar);
    const cookie = this.cookiesFor(url.origin);
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { cookie },
      ...(form ? { method: 'POST', body: form } : {}),
    });
    for (const set of response.headers.getSetCookie()) {
      const [pair = ''] = set.split(';');
      const [name = '', value = ''] = pair.split(/=(.*)/s);
      if (value === '' || /expires=Thu, 01 Jan 1970/i.test(set)) jar.delete(name);
      else jar.set(name, value);
    }
    return response;
  }
}
