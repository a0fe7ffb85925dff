/** Writes the tables, and says which goals hold. */
import { type Column, type Samples, START_COLUMNS } from './samples.ts'
import { BARE, BY_HAND, NEST, OURS } from './servers.ts'

/** Most that ours may take of what the application by hand takes. The case JWT has no goal: the signatures differ. */
export const GOALS: ReadonlyMap<string, number> = new Map([
  ['public route', 1.05],
  ['JSON body', 1.05],
  ['WebSocket', 1.05],
  ['API key', 1.1],
  ['refused', 1.15],
  ['cold start', 1.4]
])

export interface Goal {
  readonly text: string
  readonly ratio: number
  readonly bound: number
  readonly holds: boolean
}

export function report(servers: readonly string[], cases: readonly string[], samples: Samples): string {
  const columns = [...cases.map((name): Column => ({ name, unit: 'us' })), ...START_COLUMNS]
  const heads = columns.map(({ name, unit }) => `${name}, ${unit}`)
  const names = columns.map(({ name }) => name)
  const beside = (base: string) =>
    table(names, servers, (server) =>
      names.map((name) => (samples.least(server, name) / samples.least(base, name)).toFixed(2))
    )
  return [
    table([...heads, 'foreign load'], servers, (server) => [
      ...columns.map((column) => figure(samples.least(server, column.name), column)),
      foreign(samples, server)
    ]),
    `Median and most of the rounds:\n\n${table(heads, servers, (server) =>
      columns.map((column) => spread(samples.values(server, column.name), column))
    )}`,
    `Beside ${BY_HAND}, which is 1:\n\n${beside(BY_HAND)}`,
    `Beside ${BARE}, which is 1:\n\n${beside(BARE)}`,
    `Beside ${NEST}, which is 1:\n\n${beside(NEST)}`,
    goals(names, samples)
      .map(
        ({ text, ratio, bound, holds }) =>
          `- ${holds ? 'holds' : 'missed'}: ${text}, ${ratio.toFixed(2)} of ${bound.toFixed(2)} allowed`
      )
      .join('\n')
  ].join('\n\n')
}

/** Ahead of NestJS in every column, and near the application by hand where a goal says how near. */
export function goals(columns: readonly string[], samples: Samples): Goal[] {
  const ours = (column: string, base: string) => samples.least(OURS, column) / samples.least(base, column)
  return [
    ...columns.map((column) => ({ text: `${column}: ahead of ${NEST}`, ratio: ours(column, NEST), bound: 1 })),
    ...columns.flatMap((column) => {
      const bound = GOALS.get(column)
      return bound === undefined ? [] : [{ text: `${column}: near ${BY_HAND}`, ratio: ours(column, BY_HAND), bound }]
    })
  ].map((goal) => ({ ...goal, holds: goal.ratio <= goal.bound }))
}

function table(
  heads: readonly string[],
  servers: readonly string[],
  cells: (server: string) => readonly string[]
): string {
  const lines = servers.map((server) => `| ${[server, ...cells(server)].join(' | ')} |`)
  return [`| | ${heads.join(' | ')} |`, `|---|${heads.map(() => '---:|').join('')}`, ...lines].join('\n')
}

function figure(value: number, { unit }: Column): string {
  return value.toFixed(unit === 'us' ? 2 : 0)
}

function spread(values: readonly number[], column: Column): string {
  const middle = values[Math.floor(values.length / 2)] ?? Number.NaN
  return `${figure(middle, column)} - ${figure(values.at(-1) ?? Number.NaN, column)}`
}

function foreign(samples: Samples, server: string): string {
  const shares = samples.foreign(server)
  if (shares === null) return 'unknown'
  return `${(shares.median * 100).toFixed(0)} %, at most ${(shares.most * 100).toFixed(0)} %`
}
