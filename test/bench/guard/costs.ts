/** Reads what the benchmarks print: per case the cost of our side, in the unit of its table; less is better. */

/** The column of our side, by the words that the benchmarks put at its head. */
const COST_COLUMN = /^(?:svc, us CPU|svc, CPU us|svc, us|generated, us CPU|us CPU|ns per event|ns|measured)$/
const COST = /^(\d+(?:\.\d+)?)(?: (?:us|ns))?$/
/** What a case costs above the first one of its table: the sum is compared, as a difference of noise says nothing. */
const ABOVE = ', above it'
/** Others beside us, and ratios, of which more is better. */
const NOT_OURS = /^(?:raw|bare|one raw|the same in a handler of raw|AsyncLocalStorage)\b| \/ /

/** Cases of all Markdown tables in the text. */
export function costsIn(output: string): Map<string, number> {
  const costs = new Map<string, number>()
  let column = -1
  let first: number | undefined
  for (const line of output.split('\n')) {
    if (line.startsWith('|-')) continue
    const cells = line.startsWith('| ')
      ? line
          .split('|')
          .slice(1, -1)
          .map((cell) => cell.trim())
      : []
    const head = cells.findIndex((cell) => COST_COLUMN.test(cell))
    if (cells.length === 0 || head >= 0) {
      column = head
      first = undefined
      continue
    }
    const [name = ''] = cells
    const figure = Number(COST.exec(cells[column] ?? '')?.[1] ?? Number.NaN)
    if (Number.isNaN(figure) || NOT_OURS.test(name)) continue
    first ??= figure
    const above = name.endsWith(ABOVE)
    costs.set(above ? name.slice(0, -ABOVE.length) : name, above ? first + figure : figure)
  }
  return costs
}
