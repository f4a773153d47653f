import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type ListsSize, listsSize, writeLists } from './lists-data.ts';
import { CONTRADICTIONS, LISTS, type List, type ListFilter, type Parameters } from './lists-requests.ts';
import { median } from './load.ts';
import { timed } from './p50.ts';
import { call, register, type Server, startSteward } from './servers.ts';

/** The largest acceptable ratio of the time with much data to that with a hundredth of it, and the times that are short enough. */
const AIM = 2;
const SHORT_MS = 1;

/** The part of the data that the smaller server has. */
const SMALL = 1 / 100;

/** How often a request is measured, and how long its measurements may take, in milliseconds. */
const REPEATS = 9;
const MAX_MS = 10_000;

/** How often each list is asked for before the first measurement. */
const WARM_UP = 40;

/** How many rows of a list precede the later page. */
const BEFORE_LATER = 200;

/** How long the servers have for what they do in the background after their start, in milliseconds. */
const SETTLE_MS = 20_000;

/** The width of a column. */
const WIDTH = 24;

/** A request for a list. */
interface Row {
  readonly name: string;
  readonly list: List;
  readonly order: Parameters;
  readonly filters: readonly ListFilter[];
}

/** A server with its data. */
interface Side {
  readonly server: Server;
  readonly token: string;
  readonly size: ListsSize;
}

/** The median times of a page with little and with much data, in milliseconds; undefined for a later page that neither has. */
type Times = readonly [few: number, many: number] | undefined;

/**
 * Measures the new lists with all filters and orders, and some filters two at a time, with a data set and with a hundredth of it in
 * turns; and compares all totals with those that the data must have.
 */
export async function lists(options: {
  readonly directory: string;
  readonly users: number;
  /** Part of the names of the requests to measure; all of them if absent. */
  readonly name?: string;
}): Promise<void> {
  const { directory, users, name: part = '' } = options;
  const small = await startSide(directory, users * SMALL);
  const large = await startSide(directory, users);
  await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
  const rows = LISTS.flatMap(rowsOf).filter(({ name }) => name.includes(part));
  let wrong = 0;
  // Before everything else, because measuring changes what is counted; a run that was interrupted has not changed it back.
  for (const side of [small, large]) {
    await restore(side);
    wrong += await compareTotals(side, rows);
  }
  for (let n = 0; n < WARM_UP; n++) {
    for (const list of LISTS) for (const side of [small, large]) await page(side, list, n, {});
  }
  console.log(`${'  first page: ms, growth'.padEnd(WIDTH + 2)}later page: ms, growth`);
  let slow = 0;
  for (const row of rows) {
    const measured = await measure([small, large], row);
    // Other work of the machine makes some rows seem slow: those are measured again.
    const times = measured.some(isSlow) ? await measure([small, large], row) : measured;
    const isMarked = times.some(isSlow);
    if (isMarked) slow++;
    console.log(`${isMarked ? '!' : ' '} ${times.map(figures).join('')}${row.name}`);
  }
  console.log(
    `${users} users: ${slow} of ${rows.length} requests grow more than ${AIM} times; ${wrong} totals are wrong`,
  );
  for (const side of [small, large]) await restore(side);
  console.log(`memory: ${small.server.memoryMb()} MB and ${large.server.memoryMb()} MB`);
  await Promise.all([small.server.stop(), large.server.stop()]);
}

async function startSide(directory: string, users: number): Promise<Side> {
  const data = join(directory, String(users));
  await mkdir(data, { recursive: true });
  const size = listsSize(users);
  await writeLists(join(data, 'steward.db'), size);
  const server = await startSteward(data, { accounts: { bridge_patterns: ['telegram_*'] } });
  return { server, size, token: await register(server.url, `bench-${process.pid}`, true) };
}

/**
 * The requests for a list: plain in each order; each filter in the first order and in one of the others in turn, and together with the
 * next filter. All combinations would take hours.
 */
function rowsOf(list: List): readonly Row[] {
  const [plain = {}, ...others] = list.orders;
  const filters = Object.entries(list.filters);
  const row = (order: Parameters, ...named: [string, ListFilter][]): Row => ({
    name: [
      `${list.name}: ${named.map(([name]) => name).join(' + ') || 'plain'}`,
      ...Object.entries(order).map(([key, value]) => `${key}=${value}`),
    ].join(' '),
    list,
    order,
    filters: named.map(([, filter]) => filter),
  });
  return [
    ...list.orders.map((order) => row(order)),
    ...filters.flatMap((filter, i) => {
      const other = others[i % others.length];
      const next = filters[i + 1];
      return [
        row(plain, filter),
        ...(other ? [row(other, filter)] : []),
        ...(next && !exclude(filter, next) ? [row(plain, filter, next)] : []),
      ];
    }),
  ];
}

/** Whether two filters cannot be asked for at once. */
function exclude([one, first]: [string, ListFilter], [other, second]: [string, ListFilter]): boolean {
  const size = listsSize(1_000);
  const keys = Object.keys(first(0, size));
  return (
    Object.keys(second(0, size)).some((key) => keys.includes(key)) ||
    CONTRADICTIONS.some((names) => names.includes(one) && names.includes(other))
  );
}

/** Compares the totals of all requests with those of the generated data; returns how many differ. */
async function compareTotals(side: Side, rows: readonly Row[]): Promise<number> {
  let wrong = 0;
  for (const list of LISTS) {
    const ofList = rows.filter((row) => row.list === list && row.order === list.orders[0]);
    const requests = ofList.map((row) => parametersOf(row, 0, side.size));
    const expected = list.expected(side.size, requests);
    for (const [i, parameters] of requests.entries()) {
      const answer = await page(side, list, 0, { ...parameters, limit: 1 });
      const totals = list.totals.map((key) => Number(answer[key]));
      if (totals.join() === expected[i]?.join()) continue;
      wrong++;
      console.log(`! ${ofList[i]?.name}: ${totals.join()} instead of ${expected[i]?.join()}`);
    }
  }
  return wrong;
}

let run = 0;

/** Changes back what measuring has changed: requests with odd numbers do that. */
async function restore({ server, token, size }: Side): Promise<void> {
  for (const { write } of LISTS) if (write) await call(server, token, ...write(1, size));
}

/** The times of the first page and of a later one. Takes turns with both servers, so that other work of the machine slows both. */
async function measure(sides: readonly [Side, Side], row: Row): Promise<readonly [Times, Times]> {
  const [first, later] = [sides.map((): number[] => []), sides.map((): number[] => [])];
  const [small] = sides;
  const found = await page(small, row.list, run, parametersOf(row, run, small.size));
  // Both pages have as many rows as the smaller data set allows, because each row takes its time.
  const limit = Math.max(1, rowsIn(found));
  const end = performance.now() + MAX_MS;
  for (let n = 0; n < REPEATS && (n < 2 || performance.now() < end); n++, run++) {
    for (const [i, side] of sides.entries()) {
      const { list } = row;
      const parameters = { ...parametersOf(row, run, side.size), limit };
      const write = list.write?.(run, side.size);
      if (write) await call(side.server, side.token, ...write);
      let answer: Answer = {};
      const read = async () => {
        answer = await page(side, list, run, parameters);
      };
      first[i]?.push(await timed(read));
      if (answer.next_token === undefined) continue;
      const before = await page(side, list, run, { ...parameters, limit: BEFORE_LATER });
      const from = String(before.next_token ?? answer.next_token);
      later[i]?.push(await timed(() => page(side, list, run, { ...parameters, from })));
    }
  }
  return [mediansOf(first), mediansOf(later)];
}

/** The number of rows of a page, whatever they are called. */
function rowsIn(answer: Answer): number {
  return Math.max(0, ...Object.values(answer).map((value) => (Array.isArray(value) ? value.length : 0)));
}

function mediansOf([few = [], many = []]: readonly number[][]): Times {
  return few.length > 0 && many.length > 0 ? [median(few), median(many)] : undefined;
}

function parametersOf({ order, filters }: Row, n: number, size: ListsSize): Parameters {
  return Object.assign({}, order, ...filters.map((filter) => filter(n, size)));
}

type Answer = Readonly<Record<string, unknown>>;

async function page(side: Side, list: List, n: number, parameters: Parameters): Promise<Answer> {
  const query = new URLSearchParams(
    Object.entries(parameters).flatMap(([key, value]) =>
      (Array.isArray(value) ? value : [value]).map((each) => [key, String(each)]),
    ),
  );
  return JSON.parse(await call(side.server, side.token, 'GET', `${list.path(n, side.size)}?${query}`));
}

function isSlow(times: Times): boolean {
  if (!times) return false;
  const [few, many] = times;
  return many / few > AIM && many >= SHORT_MS;
}

/** The times of a page of both servers, and how they grow. */
function figures(times: Times): string {
  const [few, many] = times ?? [];
  if (few === undefined || many === undefined) return '-'.padEnd(WIDTH);
  return `${few.toFixed(2)} ${many.toFixed(2)} ${(many / few).toFixed(2)}`.padEnd(WIDTH);
}
