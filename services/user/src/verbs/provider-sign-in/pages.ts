import { hash } from 'node:crypto';
import type { MessageInitShape } from '@bufbuild/protobuf';
import type { ContentHeadSchema } from '@steward/proto/steward/http/v1/content_pb.ts';

/** A part of an answer to a browser. */
export interface Piece {
  readonly head?: MessageInitShape<typeof ContentHeadSchema>;
  readonly data?: Uint8Array<ArrayBuffer>;
}

const STYLE = `:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}
body{margin:0;min-height:100vh;display:grid;place-items:center}
main{max-width:30rem;padding:1.5rem;overflow-wrap:anywhere}
a.go{display:inline-block;padding:.6rem 1.2rem;border-radius:.4rem;background:#1864ab;color:#fff;text-decoration:none}
ul{list-style:none;padding:0}li{margin:.5rem 0}`;

/** Nothing but the page itself: no other script, no frame around it, and no address of it to the app. */
const headersOf = (script: string | undefined) => ({
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; style-src ${sourceOf(STYLE)}; ${script === undefined ? '' : `script-src ${sourceOf(script)}; `}base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
});

/** The source of a content security policy that admits a text of the page. */
function sourceOf(text: string): string {
  return `'sha256-${hash('sha256', text, 'base64')}'`;
}

/** A page for a user. */
interface Page {
  readonly status: number;
  readonly title: string;
  /** Each is a paragraph. */
  readonly texts: readonly string[];
  readonly links?: readonly { readonly label: string; readonly href: string }[];
  /** Runs when the page is shown. It is written as it is, so that it must not hold what a request says. */
  readonly script?: string;
  readonly cookie?: string;
}

/** Answers with a page. All texts are escaped. */
export function* answerPage({ status, title, texts, links = [], script, cookie }: Page): Generator<Piece> {
  const paragraphs = texts.map((text) => `<p>${escapeHtml(text)}</p>`).join('');
  const list = links.map(
    ({ label, href }) => `<li><a class="go" href="${escapeHtml(href)}">${escapeHtml(label)}</a></li>`,
  );
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(title)}</title><style>${STYLE}</style></head><body><main><h1>${escapeHtml(title)}</h1>${paragraphs}<ul>${list.join('')}</ul></main>${script === undefined ? '' : `<script>${script}</script>`}</body></html>`;
  const data = new TextEncoder().encode(html);
  const headers = { ...headersOf(script), ...cookieHeader(cookie) };
  yield { head: { status, length: BigInt(data.length), headers } };
  yield { data };
}

/** Sends a browser on. */
export function* answerRedirect(location: string, cookie?: string): Generator<Piece> {
  const headers = {
    location,
    'referrer-policy': 'no-referrer',
    ...cookieHeader(cookie),
  };
  yield { head: { status: 302, length: 0n, headers } };
}

function cookieHeader(cookie: string | undefined): Record<string, string> {
  return cookie === undefined ? {} : { 'set-cookie': cookie };
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (found) => ENTITIES[found] ?? '');
}
