/** The guard compares costs of our side alone, whatever else a benchmark prints beside them. */
import t from 'tap'
import { costsIn } from './costs.ts'

t.test('costs of our side, per case', async (t) => {
  const printed = `Node 24
| case | raw Fastify, us CPU | svc, us CPU | ratio | budget |
|---|---:|---:|---:|---:|
| public route | 12.85 | 14.15 | 0.908 | >= 0.97 |
| AsyncLocalStorage.run alone, on raw Fastify | 12.89 | 13.45 | 0.958 | none |

| case | measured | spread | budget |
|---|---:|---:|---:|
| empty route, no zone | 20.0 us | 19.6-22.9 |  |
| session zone, above it | 4.5 us | 4-5 | <= 10 us |
| 401 without proof, raw / ours | 0.985 |  | >= 0.85 |

| nine healthy endpoints | deliveries/s | kept |
|---|---:|---:|
| alone | 354 | |
`
  t.same(
    [...costsIn(printed)],
    [
      ['public route', 14.15],
      ['empty route, no zone', 20],
      ['session zone', 24.5]
    ],
    'what is above the first case of a table counts with it; ratios and rates do not count'
  )
})

t.test('a text without a table has no costs', async (t) => t.equal(costsIn('nothing was measured').size, 0))
