/** What a page of the console may not use. Copying to the clipboard and keys of the platform stay permitted. */
const DENIED_FEATURES = [
  'accelerometer',
  'camera',
  'display-capture',
  'geolocation',
  'gyroscope',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'usb',
];

const HEADERS = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': DENIED_FEATURES.map((feature) => `${feature}=()`).join(', '),
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
};

/**
 * What a file may do that a browser opens by itself, and what a worker may do, whose policy is that of its own file: it loads
 * the chunks that it imports, and calls the API.
 */
const FILE_POLICY = [
  "default-src 'none'",
  "base-uri 'none'",
  "connect-src 'self'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "script-src 'self'",
].join('; ');

/** The headers of the files of the console. */
export const FILE_HEADERS = { ...HEADERS, 'content-security-policy': FILE_POLICY };

/** The headers of a page of the console whose scripts and styles have this nonce. */
export function pageHeaders(nonce: string) {
  return { ...HEADERS, 'content-security-policy': pagePolicy(nonce) };
}

/**
 * `'self'` is not a source of scripts, because the server also serves files that users uploaded: only scripts with the nonce
 * run, and the chunks that they load. The page is also served without TLS, so it must not tell browsers to upgrade its requests.
 */
function pagePolicy(nonce: string): string {
  return [
    "default-src 'none'",
    "base-uri 'none'",
    "connect-src 'self'",
    "font-src 'self'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "img-src 'self' blob:",
    "manifest-src 'self'",
    "object-src 'none'",
    `script-src 'nonce-${nonce}' 'strict-dynamic'`,
    `style-src 'self' 'nonce-${nonce}'`,
    "worker-src 'self'",
  ].join('; ');
}
