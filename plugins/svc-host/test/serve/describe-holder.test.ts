/** A process as a person recognises it. */
import t from 'tap'
import { describeHolder } from '../../src/serve/listen-problem.ts'

const NOW = 1_700_000_000_000
const MINUTE = 60_000

const rows: ReadonlyArray<[age: number, since: string]> = [
  [0, 'just now'],
  [MINUTE / 2 - 1, 'just now'],
  [MINUTE / 2, '1 min ago'],
  [119 * MINUTE, '119 min ago'],
  [120 * MINUTE, '2 h ago'],
  [151 * MINUTE, '3 h ago'],
  [-MINUTE, 'just now']
]

for (const [age, since] of rows) {
  t.test(`${age} ms: ${since}`, async (t) => {
    const holder = { pid: 7, program: 'node', startedAt: NOW - age, folder: '/shop' }
    t.equal(describeHolder(holder, NOW), `pid 7 (node, started ${since} from /shop)`)
  })
}

t.test('a folder that may not be read is left out', async (t) => {
  const holder = { pid: 7, program: 'nginx', startedAt: NOW, folder: null }
  t.equal(describeHolder(holder, NOW), 'pid 7 (nginx, started just now)')
})
