/** Where a module goes: after those it needs, before those that need it. */
import t from 'tap'
import { placeOf } from '../../src/modules/add-module.ts'

const module = (name: string, ...after: string[]) => ({ name, after })
const security = module('svc-security', 'svc-sqlorm', 'svc-docdb')
const decorators = module('svc-decorators')
const orm = module('svc-orm')
const sqlorm = module('svc-sqlorm', 'svc-orm')

const rows: ReadonlyArray<
  readonly [what: string, Parameters<typeof placeOf>[0], Parameters<typeof placeOf>[1], number]
> = [
  ['storage before who asks it', sqlorm, [orm, security, decorators], 1],
  ['entities before their driver', orm, [sqlorm, security], 0],
  ['nothing decides: before security', module('svc-audit'), [orm, security, decorators], 1],
  ['after what it needs: before controllers', module('svc-realtime', 'svc-security'), [security, decorators], 1],
  ['after controllers, if they are not last', module('svc-x', 'svc-decorators'), [decorators, security], 1],
  ['at the end', module('svc-audit'), [module('cors')], 1],
  ['an empty list', orm, [], 0]
]

for (const [what, added, listed, place] of rows) {
  t.test(what, async (t) => t.equal(placeOf(added, listed, false), place))
}

t.test('what describes the others comes first', async (t) => {
  t.equal(placeOf(module('svc-openapi'), [orm, security], true), 0)
  t.equal(placeOf(module('svc-openapi', 'svc-orm'), [orm, security], true), 1)
})
