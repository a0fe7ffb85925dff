/** The `store` option that every consumer has. */
import t from 'tap'
import { storeOption } from '../src/options.ts'

t.test('a brick is kept where one of four words says, never in a cache', async (t) => {
  t.strictSame(storeOption.enum, ['auto', 'memory', 'sqlorm', 'docdb'])
  t.equal(storeOption.default, 'auto')
})
