/** The path below which the page and its files are served. */
export const PAGE_PATH = '/_service/docs';

/** The documents that the page offers, by the names of their files. */
export const DOCUMENTS: ReadonlyMap<
  string,
  { readonly title: string; readonly shows: (path: string) => boolean }
> = new Map([
  ['admin.json', { title: 'steward: Admin API', shows: (path: string) => isAdministrative(path) }],
  ['client.json', { title: 'steward: Client API', shows: (path: string) => !isAdministrative(path) }],
]);

function isAdministrative(path: string): boolean {
  return path.startsWith('/_service/');
}

export const PAGE = `<!DOCTYPE html>
<html lang="en">
  <head>
    <meta charset="UTF-8">
    <title>steward</title>
    <link rel="stylesheet" href="${PAGE_PATH}/swagger-ui.css">
    <link rel="stylesheet" href="${PAGE_PATH}/index.css">
    <link rel="icon" href="data:,">
  </head>
  <body>
    <div id="swagger-ui"></div>
    <script src="${PAGE_PATH}/swagger-ui-bundle.js"></script>
    <script src="${PAGE_PATH}/swagger-ui-standalone-preset.js"></script>
    <script src="${PAGE_PATH}/page.js"></script>
  </body>
</html>
`;

const URLS = [...DOCUMENTS].map(([file, { title }]) => ({ name: title, url: `${PAGE_PATH}/${file}` }));

/** Starts Swagger UI with everything collapsed. It keeps no token after the page is closed. */
export const PAGE_SCRIPT = `SwaggerUIBundle({
  dom_id: '#swagger-ui',
  urls: ${JSON.stringify(URLS)},
  presets: [SwaggerUIBundle.presets.apis, SwaggerUIStandalonePreset],
  layout: 'StandaloneLayout',
  deepLinking: true,
  docExpansion: 'none',
  defaultModelsExpandDepth: -1,
  filter: true,
  validatorUrl: null,
});
`;
