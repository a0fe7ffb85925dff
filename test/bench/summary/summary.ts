/** What the README and the pages of benchmarks show of a measurement: the file that keeps it, and the parts written from it. Pure. */
import { CASES } from '../peers/cases.ts'
import { type Samples, START_COLUMNS } from '../peers/samples.ts'
import { BARE, BY_HAND, NEST, OURS } from '../peers/servers.ts'

/** From the root of the repository. */
export const SUMMARY_FILE = 'docs/benchmarks/summary.json'

/** By name of an application, then by name of a column. */
type Table = Readonly<Record<string, Readonly<Record<string, number>>>>

export interface Summary {
  /** Such as `2026-11-23`. */
  readonly date: string
  readonly commit: string
  readonly node: string
  readonly cpu: string
  readonly cores: number
  readonly rounds: number
  readonly requests: number
  readonly versions: readonly string[]
  /** Greatest share of the machine that other processes used while a figure was taken, in percent; `null`: unknown. */
  readonly foreignPercent: number | null
  /** The least of the rounds: microseconds of server CPU per request, milliseconds of a start, MB of memory. */
  readonly figures: Table
  /** Figures divided by those of Fastify by hand. */
  readonly besideByHand: Table
  /** Figures of svc divided by those of bare Fastify; empty where that was not measured. */
  readonly besideBare: Readonly<Record<string, number>>
}

const CASE_NAMES = CASES.map(({ name }) => name)
const STARTS = START_COLUMNS.map(({ name }) => name)
const REQUESTS = ['API key', 'refused', 'JSON body', 'JWT', 'WebSocket']
export const COLUMNS: readonly string[] = [...REQUESTS, 'cold start']

/** The figures of a measurement, and the ratios that are made of them. */
export function tablesOf(
  servers: readonly string[],
  columns: readonly string[],
  samples: Pick<Samples, 'least'>
): Pick<Summary, 'figures' | 'besideByHand' | 'besideBare'> {
  const each = (value: (column: string) => number) =>
    Object.fromEntries(columns.map((column) => [column, rounded(value(column))]))
  const beside = (server: string, yardstick: string) =>
    each((column) => samples.least(server, column) / samples.least(yardstick, column))
  return {
    figures: Object.fromEntries(servers.map((name) => [name, each((column) => samples.least(name, column))])),
    besideByHand: Object.fromEntries(servers.map((name) => [name, beside(name, BY_HAND)])),
    besideBare: servers.includes(BARE) ? beside(OURS, BARE) : {}
  }
}

/** Markdown of one part; `part` is what follows `bench:` in its marker. */
export function summaryPart(part: string, summary: Summary): string {
  const write = PARTS[part]
  if (write === undefined) throw new Error(`no part "${part}": ${Object.keys(PARTS).join(', ')}`)
  return write(summary)
}

const PARTS: Readonly<Record<string, (summary: Summary) => string>> = {
  machine: ({ date, commit, node, cores, cpu, rounds, requests, foreignPercent }) =>
    [
      `Measured on ${date} at commit \`${commit}\` with Node ${node}, on ${cores} cores (${cpu}):`,
      `${rounds} rounds of ${requests} requests.`,
      ...(foreignPercent === null ? [] : [`Other processes used at most ${foreignPercent} % of the machine.`])
    ].join('\n'),
  chart: ({ besideByHand }) => {
    const ratios = REQUESTS.map((column) => besideByHand[OURS]?.[column] ?? Number.NaN)
    const top = Math.ceil(Math.max(1, ...ratios) * 10 + 1) / 10
    return [
      '```mermaid',
      'xychart-beta',
      '  title "Server CPU per request: svc (bars) and Fastify by hand (line)"',
      `  x-axis [${REQUESTS.map((column) => `"${column}"`).join(', ')}]`,
      `  y-axis "lower is better" 0 --> ${top}`,
      `  bar [${ratios.join(', ')}]`,
      `  line [${ratios.map(() => 1).join(', ')}]`,
      '```'
    ].join('\n')
  },
  costs: ({ besideByHand }) => table(COLUMNS, only([OURS, NEST, 'Hono', BARE], besideByHand)),
  yardsticks: ({ besideByHand, besideBare }) =>
    table(COLUMNS, only([BY_HAND, BARE], { [BY_HAND]: besideByHand[OURS] ?? {}, [BARE]: besideBare }), 'svc beside'),
  requests: ({ figures }) => table(CASE_NAMES, figures),
  starts: ({ figures }) => table(STARTS, figures, '', 0),
  requestratios: ({ besideByHand }) => table(CASE_NAMES, besideByHand),
  startratios: ({ besideByHand }) => table(STARTS, besideByHand),
  versions: ({ versions }) => `Versions: ${versions.join(', ')}.`
}

/** Those that were measured, in this order. */
function only(names: readonly string[], rows: Table): Table {
  return Object.fromEntries(
    names.flatMap((name) => {
      const row = rows[name] ?? {}
      return Object.keys(row).length === 0 ? [] : [[name, row]]
    })
  )
}

function table(columns: readonly string[], rows: Table, head = '', digits = 2): string {
  const lines = Object.entries(rows).map(([name, row]) => [
    name,
    ...columns.map((column) => row[column]?.toFixed(digits) ?? '')
  ])
  return [
    `| ${[head, ...columns].join(' | ')} |`.replace('|  |', '| |'),
    `| --- |${columns.map(() => ' ---: |').join('')}`,
    ...lines.map((cells) => `| ${cells.join(' | ')} |`)
  ].join('\n')
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100
}
