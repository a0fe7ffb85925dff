/** "Did you mean": which slip leads to which name. */
import t from 'tap'
import { nearestName } from '../../src/problems/nearest-name.ts'

const rows: ReadonlyArray<[given: string, known: string[], near: string | undefined]> = [
  ['maxRetires', ['maxRetries', 'maxQueue'], 'maxRetries'],
  ['patern', ['pattern', 'authenticators'], 'pattern'],
  ['ROL_ADMIN', ['ROLE_ADMIN', 'ROLE_USER'], 'ROLE_ADMIN'],
  ['stroe', ['store'], 'store'],
  ['Store', ['store'], 'store'],
  ['strat', ['start', 'state'], 'start'],
  ['sesion', ['session', 'version'], 'session'],
  ['abcd', ['efgh'], undefined],
  ['a', ['b'], undefined],
  ['ab', ['cd'], undefined],
  ['mode', [], undefined],
  ['', ['mode'], undefined],
  ['modexyz', ['mode'], undefined],
  ['x'.repeat(100_000), ['mode'], undefined]
]

for (const [given, known, near] of rows) {
  t.test(`${given.slice(0, 20)} -> ${near}`, async (t) => {
    t.equal(nearestName(given, known), near)
  })
}

t.test('the limit can be narrowed', async (t) => {
  t.equal(nearestName('HOME', ['HOST'], 1), undefined)
  t.equal(nearestName('HOSTS', ['HOST'], 1), 'HOST')
})

t.test('the nearest of several, the first of equals', async (t) => {
  t.equal(nearestName('port', ['ports', 'port_', 'port']), 'port')
  t.equal(nearestName('porx', ['port', 'pork']), 'port')
})
