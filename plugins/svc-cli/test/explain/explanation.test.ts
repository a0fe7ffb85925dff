/** Zones and guards against callers, as a table; the jury is a stand-in that grants by name. */
import { ANONYMOUS_TOKEN, createAccessToken } from 'svc-kernel'
import t from 'tap'
import type { DeclaredRoute } from '../../src/application/note-routes.ts'
import type { SecurityView, ZoneView } from '../../src/application/security-view.ts'
import { refusalReason } from '../../src/explain/deliberation.ts'
import { type Caller, explainRequest } from '../../src/explain/explanation.ts'

const zone = (given: Partial<ZoneView>): ZoneView => ({
  name: 'z',
  pattern: /^\/api/,
  mode: 'first',
  authenticators: [],
  admitsAnonymous: false,
  takesCredentials: true,
  ...given
})

const security = (held: ZoneView | null): SecurityView => ({
  zoneOf: () => held,
  zoneOfTarget: () => held,
  explain: async (_token, attribute, subject) => {
    const granted = attribute === 'YES' || subject === '7'
    return { granted, reason: granted ? null : attribute === 'NEVER' ? 'veto' : 'abstain', votes: [] }
  }
})

const route = (given: Partial<DeclaredRoute>): DeclaredRoute => ({
  methods: ['GET'],
  path: '/api/x/:id',
  transports: ['HTTP'],
  anonymous: false,
  bypassFirewall: false,
  requirement: null,
  name: null,
  source: null,
  ...given
})

const nobody: Caller = { identifier: 'anonymous', roles: [], scopes: [], anonymous: true, token: ANONYMOUS_TOKEN }
const alice: Caller = {
  ...nobody,
  identifier: 'alice',
  anonymous: false,
  token: createAccessToken({ type: 'session', user: { identifier: 'alice' } })
}

const open = zone({ admitsAnonymous: true, takesCredentials: false })
const mixed = zone({ admitsAnonymous: true })
const all = zone({ admitsAnonymous: true, mode: 'all' })
const closed = zone({})
const guarded = route({ requirement: [[{ attribute: 'YES' }], [{ attribute: 'NO' }, { attribute: 'YES' }]] })
const refused = route({ requirement: [[{ attribute: 'YES' }], [{ attribute: 'NO' }]] })
const subject = route({ requirement: [[{ attribute: 'own', subject: 'id' }]] })

type Expected = [decision: string, status: number | null, reason: string | null]
const rows: Array<
  [name: string, zone: ZoneView | null, route: DeclaredRoute | null, caller: Caller, expected: Expected]
> = [
  ['open route, open zone', open, route({}), nobody, ['granted', null, null]],
  ['open route, closed zone, no proof', closed, route({}), nobody, ['refused', 401, 'no-proof']],
  ['open route, closed zone, proof', closed, route({}), alice, ['granted', null, null]],
  ['mode all keeps the others mandatory', all, route({}), nobody, ['refused', 401, 'no-proof']],
  ['first lets the anonymous in', mixed, route({}), nobody, ['granted', null, null]],
  ['unknown path in a closed zone, no proof', closed, null, nobody, ['refused', 401, 'no-proof']],
  ['unknown path in a closed zone, proof', closed, null, alice, ['not found', 404, null]],
  ['unknown path outside', null, null, nobody, ['not found', 404, null]],
  ['guarded outside every zone', null, guarded, alice, ['refused', 403, 'no-identity']],
  ['every clause passes', mixed, guarded, alice, ['granted', null, null]],
  ['one clause does not', mixed, refused, alice, ['refused', 403, 'abstain']],
  ['the subject is the route parameter', mixed, subject, alice, ['granted', null, null]],
  ['an empty requirement lets nobody in', mixed, route({ requirement: [] }), alice, ['refused', 403, 'no-voter']],
  ['@Anonymous in a closed zone', closed, route({ anonymous: true }), nobody, ['granted', null, null]],
  ['@BypassFirewall in a closed zone', closed, route({ bypassFirewall: true }), nobody, ['granted', null, null]]
]

for (const [name, held, declared, caller, [decision, status, reason]] of rows) {
  t.test(name, async (t) => {
    const found = declared && { route: declared, params: { id: '7' } }
    t.match(await explainRequest(found, '/api/x/7', caller, security(held)), { decision, status, reason })
  })
}

t.test('without svc-security nobody passes a guard', async (t) => {
  const found = { route: guarded, params: {} }
  t.match(await explainRequest(found, '/api/x/7', alice, null), { status: 403, reason: 'no-identity' })
})

t.test('what is assumed is said', async (t) => {
  const found = { route: route({}), params: {} }
  t.match((await explainRequest(found, '/', alice, security(open))).note, /no authenticator of zone z can tell/)
  t.match((await explainRequest(found, '/', alice, security(closed))).note, /alice has proved who they are/)
  t.equal((await explainRequest(found, '/', nobody, security(open))).note, null)
})

t.test('the reason that weighs most in the first clause refused', async (t) => {
  const clause = (...reasons: Array<string | null>) => ({
    granted: reasons.includes(null),
    attributes: reasons.map((reason) => ({ attribute: 'a', granted: reason === null, reason, votes: [] }))
  })
  t.equal(refusalReason([clause(null, 'veto')]), null)
  t.equal(refusalReason([clause('no-voter', 'abstain', 'veto')]), 'veto')
  t.equal(refusalReason([clause('abstain', 'error')]), 'error')
  t.equal(refusalReason([clause('no-voter'), clause('veto')]), 'no-voter')
})
