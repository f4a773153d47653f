/** How Grafana shows a value. */
export type Unit = 'short' | 's' | 'bytes' | 'Bps' | 'reqps' | 'ops' | 'percentunit' | 'bool';

/** A query of a panel. */
export interface Query {
  readonly expr: string;
  /** The name of each series, with labels in double braces. */
  readonly legend: string;
}

/** A panel of a dashboard. */
export interface Panel {
  readonly title: string;
  readonly description: string;
  readonly unit: Unit;
  readonly queries: readonly Query[];
  /** A single number rather than a graph. */
  readonly stat?: boolean;
}

/** A dashboard of rows of panels. */
export interface Dashboard {
  readonly uid: string;
  readonly title: string;
  readonly rows: readonly { readonly title: string; readonly panels: readonly Panel[] }[];
}

/** The width of a dashboard, and the heights of a row's title, of a graph and of a number, in cells of the grid. */
const WIDTH = 24;
const TITLE_HEIGHT = 1;
const GRAPH_HEIGHT = 8;
const STAT_HEIGHT = 4;

/** The version of the form of dashboards, which later versions of Grafana read. */
const SCHEMA_VERSION = 39;

const DATASOURCE = { type: 'prometheus', uid: '$datasource' };

/** A dashboard in the form that Grafana imports, as JSON text. */
export function grafanaJson({ uid, title, rows }: Dashboard): string {
  const panels: object[] = [];
  let y = 0;
  for (const row of rows) {
    const add = (panel: object) => panels.push({ id: panels.length + 1, ...panel });
    add({
      type: 'row',
      title: row.title,
      collapsed: false,
      panels: [],
      gridPos: { x: 0, y, w: WIDTH, h: TITLE_HEIGHT },
    });
    y += TITLE_HEIGHT;
    const perLine = row.panels.every(({ stat }) => stat) ? row.panels.length : Math.min(row.panels.length, 3);
    const w = Math.floor(WIDTH / perLine);
    const h = row.panels.every(({ stat }) => stat) ? STAT_HEIGHT : GRAPH_HEIGHT;
    for (const [n, panel] of row.panels.entries()) {
      add(grafanaPanel(panel, { x: (n % perLine) * w, y: y + Math.floor(n / perLine) * h, w, h }));
    }
    y += Math.ceil(row.panels.length / perLine) * h;
  }
  const dashboard = {
    uid,
    title,
    tags: ['steward'],
    timezone: 'browser',
    schemaVersion: SCHEMA_VERSION,
    refresh: '30s',
    time: { from: 'now-6h', to: 'now' },
    templating: {
      list: [{ name: 'datasource', label: 'Data source', type: 'datasource', query: 'prometheus' }],
    },
    panels,
  };
  return `${JSON.stringify(dashboard, null, 2)}\n`;
}

function grafanaPanel({ title, description, unit, queries, stat = false }: Panel, gridPos: object): object {
  return {
    type: stat ? 'stat' : 'timeseries',
    title,
    description,
    datasource: DATASOURCE,
    gridPos,
    fieldConfig: { defaults: { unit, min: 0 }, overrides: [] },
    options: stat
      ? { reduceOptions: { calcs: ['lastNotNull'] }, colorMode: 'none' }
      : { legend: { displayMode: 'list', placement: 'bottom' }, tooltip: { mode: 'multi', sort: 'desc' } },
    targets: queries.map(({ expr, legend }, n) => ({
      refId: String.fromCharCode('A'.charCodeAt(0) + n),
      datasource: DATASOURCE,
      expr,
      legendFormat: legend,
    })),
  };
}
