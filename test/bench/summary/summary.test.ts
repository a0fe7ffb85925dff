/** The README and the page of benchmarks show what was measured, and nothing else. */
import { readFileSync } from 'node:fs'
import t from 'tap'
import { inRepository } from '../../interop/documentation/repository.ts'
import { COLUMNS, SUMMARY_FILE, type Summary, summaryPart, tablesOf } from './summary.ts'

const summary = JSON.parse(readFileSync(inRepository(SUMMARY_FILE), 'utf8')) as Summary
const page = readFileSync(inRepository('docs/benchmarks.md'), 'utf8')
const peers = readFileSync(inRepository('docs/benchmarks/peers.md'), 'utf8')
const readme = readFileSync(inRepository('README.md'), 'utf8')

function partOf(text: string, part: string): string | undefined {
  return new RegExp(`^<!-- bench:${part} -->\n\n([\\s\\S]*?)\n\n<!-- end -->$`, 'm').exec(text)?.[1]
}

t.test('the pages are as the file says', async (t) => {
  for (const part of ['machine', 'chart', 'costs', 'yardsticks']) {
    t.equal(partOf(page, part), summaryPart(part, summary), `${part}: npm run tables`)
  }
  for (const part of ['requests', 'starts', 'requestratios', 'startratios', 'versions']) {
    t.equal(partOf(peers, part), summaryPart(part, summary), `${part}: npm run tables`)
  }
})

t.test('each number of the README is in the file', async (t) => {
  const table = partOf(readme, 'costs')
  t.ok(table !== undefined || !readme.includes('bench:'), 'its table is written from the file')
  const numbers = table?.match(/\d+\.\d+/g) ?? []
  const measured = Object.values(summary.besideByHand)
    .flatMap(Object.values)
    .map((ratio) => ratio.toFixed(2))
  t.strictSame(
    numbers.filter((number) => !measured.includes(number)),
    []
  )
})

t.test('the ratios of the file are those of its figures', async (t) => {
  const { figures, besideByHand, besideBare } = summary
  const differs = (ratio: number | undefined, of: string, by: string, column: string) =>
    Math.abs((ratio ?? Number.NaN) - (figures[of]?.[column] ?? 0) / (figures[by]?.[column] ?? 0)) > 0.011
  for (const column of COLUMNS) {
    for (const name of Object.keys(figures)) {
      t.notOk(differs(besideByHand[name]?.[column], name, 'Fastify by hand', column), `${name}, ${column}`)
    }
    if (figures['bare Fastify'] === undefined) t.strictSame(besideBare, {})
    else t.notOk(differs(besideBare[column], 'svc', 'bare Fastify', column), `svc beside bare Fastify, ${column}`)
  }
})

t.test('figures and ratios of a measurement', async (t) => {
  const taken: Record<string, number> = { 'bare Fastify': 8, 'Fastify by hand': 10, svc: 9, Hono: 12.344 }
  const least = (server: string) => taken[server] ?? Number.NaN
  const tables = tablesOf(Object.keys(taken), COLUMNS, { least })
  t.equal(tables.figures.Hono?.JWT, 12.34)
  t.equal(tables.besideByHand.svc?.JWT, 0.9)
  t.equal(tables.besideBare.JWT, 1.13)
  const costs = summaryPart('costs', { ...summary, ...tables }).split('\n')
  t.equal(costs[2], '| svc | 0.90 | 0.90 | 0.90 | 0.90 | 0.90 | 0.90 |')
  t.equal(costs.length, 5, 'an application that was not measured has no row')
  t.match(summaryPart('chart', { ...summary, ...tables }), /bar \[0\.9, 0\.9, 0\.9, 0\.9, 0\.9\]/)
  t.throws(() => summaryPart('nothing', summary), /no part "nothing"/)
})
