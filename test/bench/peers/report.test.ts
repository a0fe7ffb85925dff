/** Which goals hold, by the least figure of each side, and that busy rounds are measured again. */
import t from 'tap'
import { goals, report } from './report.ts'
import { quietest, type Sample, Samples } from './samples.ts'

function measured(rows: Record<string, readonly number[]>, column: string): Samples {
  const samples = new Samples()
  for (const [server, values] of Object.entries(rows)) {
    for (const value of values) samples.add(server, column, { value, foreign: 0.02 })
  }
  return samples
}

t.test('a goal is held by the least figures', async (t) => {
  const rows: Array<[what: string, column: string, svc: number, ahead: boolean, near: boolean]> = [
    ['at the bound', 'JSON body', 10.5, true, true],
    ['beyond it', 'JSON body', 10.6, true, false],
    ['behind NestJS', 'refused', 21, false, false],
    ['what one column allows', 'refused', 11.4, true, true],
    ['another does not', 'public route', 11.4, true, false]
  ]
  for (const [what, column, svc, ahead, near] of rows) {
    const samples = measured({ 'Fastify by hand': [30, 10], svc: [svc, 99], NestJS: [40, 20] }, column)
    t.same(
      goals([column], samples).map(({ holds }) => holds),
      [ahead, near],
      `${column}: ${what}`
    )
  }
})

t.test('a column without a goal has to be ahead of NestJS alone', async (t) => {
  const samples = measured({ 'Fastify by hand': [1], svc: [5], NestJS: [6] }, 'JWT')
  t.same(
    goals(['JWT'], samples).map(({ text }) => text),
    ['JWT: ahead of NestJS']
  )
})

t.test('a goal without a figure does not hold', async (t) => {
  t.equal(goals(['JWT'], new Samples())[0]?.holds, false)
})

t.test('the table has least figure, spread and foreign load of each row', async (t) => {
  const text = report(['svc'], ['JWT'], measured({ svc: [12.5, 11, 14] }, 'JWT'))
  t.match(text, /\| svc \| 11\.00 \|.*\| 2 %, at most 2 % \|/)
  t.match(text, /\| svc \| 12\.50 - 14\.00 \|/)
})

t.test('a busy round is measured again, three times at most, and the quietest counts', async (t) => {
  const taken = (...foreign: Array<number | null>) => {
    let next = 0
    const measure = async (): Promise<Sample> => ({ value: next, foreign: foreign[next++] ?? null })
    return quietest(measure)
  }
  t.equal((await taken(0.05, 0.01)).value, 0, 'quiet at once')
  t.equal((await taken(0.5, 0.05, 0.01)).value, 1, 'quiet the second time')
  t.equal((await taken(0.5, 0.3, 0.4, 0.01)).value, 1, 'never quiet')
  t.equal((await taken(null)).value, 0, 'unknown')
})
