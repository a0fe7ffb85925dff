/** Zones and guards against callers, as a table; the jury is a stand-in that grants by name. */
import t from 'tap'
import type { Caller } from '../../src/explain/caller.ts'
import { refusalReason } from '../../src/explain/deliberation.ts'
import { explainRequest } from '../../src/explain/explanation.ts'
import type { SecurityView, ZoneView } from '../../src/explain/security-view.ts'
import { proofKind } from '../../src/identity/proof-kind.ts'
import type { SecurityScheme } from '../../src/ports/api-description.ts'
import type { ListedRoute } from '../../src/routes/route-inventory.ts'

const zone = (given: Partial<ZoneView>): ZoneView => ({
  name: 'z',
  pattern: /^\/api/,
  mode: 'first',
  authenticators: ['session'],
  realtime: true,
  admitsAnonymous: false,
  takesCredentials: true,
  ...given
})

/** Forms of `Authorization`; `mine` reads it too, and does not say in which form. */
const AUTHORIZATION: Readonly<Record<string, SecurityScheme>> = {
  userpassword: { type: 'http', scheme: 'basic' },
  jwt: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
  apikey: { type: 'http', scheme: 'bearer', bearerFormat: 'API key' }
}

const security = (held: ZoneView | null): SecurityView => ({
  zoneOf: () => held,
  zoneOfTarget: () => held,
  missingFactor: () => null,
  proofsOf: ({ authenticators }) =>
    authenticators.map((name) => {
      const openapi = AUTHORIZATION[name] ?? null
      const carrier = openapi === null && name !== 'mine' ? 'cookie' : 'authorization'
      return { authenticator: name, token: name, proof: proofKind({ carrier }, name), openapi }
    }),
  explain: async (_token, attribute, subject) => {
    const granted = attribute === 'YES' || subject === '7'
    return { granted, reason: granted ? null : attribute === 'NEVER' ? 'veto' : 'abstain', votes: [] }
  }
})

const route = (given: Partial<ListedRoute>): ListedRoute => ({
  methods: ['GET'],
  path: '/api/x/:id',
  transports: ['HTTP'],
  anonymous: false,
  bypassFirewall: false,
  session: null,
  requirement: null,
  name: null,
  source: null,
  ...given
})

const nobody: Caller = {
  identifier: 'anonymous',
  roles: [],
  scopes: [],
  login: { ageS: 0, factors: ['pwd'] },
  anonymous: true,
  barred: null,
  note: null
}
const alice: Caller = {
  ...nobody,
  identifier: 'alice',
  anonymous: false
}

const own = route({ bypassFirewall: true, session: 'signed-in' })
const second = route({ bypassFirewall: true, session: 'pending' })

const open = zone({ authenticators: ['anonymous'], admitsAnonymous: true, takesCredentials: false })
const mixed = zone({ authenticators: ['session', 'anonymous'], admitsAnonymous: true })
const hidden = zone({ authenticators: ['anonymous', 'session'], admitsAnonymous: true })
const all = zone({ ...mixed, mode: 'all' })
const both = zone({ authenticators: ['session', 'jwt'], mode: 'all' })
const closed = zone({})
const guarded = route({ requirement: [[{ attribute: 'YES' }], [{ attribute: 'NO' }, { attribute: 'YES' }]] })
const refused = route({ requirement: [[{ attribute: 'YES' }], [{ attribute: 'NO' }]] })
const subject = route({ requirement: [[{ attribute: 'own', subject: 'id' }]] })

type Expected = [decision: string, status: number | null, reason: string | null]
const rows: Array<
  [name: string, zone: ZoneView | null, route: ListedRoute | null, caller: Caller, expected: Expected]
> = [
  ['open route, open zone', open, route({}), nobody, ['granted', null, null]],
  ['open route, closed zone, no proof', closed, route({}), nobody, ['refused', 401, 'no-proof']],
  ['open route, closed zone, proof', closed, route({}), alice, ['granted', null, null]],
  ['mode all keeps the others mandatory', all, route({}), nobody, ['refused', 401, 'no-proof']],
  ['two subjects prove neither', all, route({}), alice, ['refused', 401, 'two_subjects']],
  ['all of them, one caller', both, route({}), alice, ['granted', null, null]],
  [
    'H1: two forms of one header',
    zone({ authenticators: ['jwt', 'userpassword'], mode: 'all' }),
    route({}),
    alice,
    ['refused', 401, 'one_authorization_header']
  ],
  [
    'H1: an authenticator of the application may read the same header',
    zone({ authenticators: ['jwt', 'mine'], mode: 'all' }),
    route({}),
    alice,
    ['granted', null, null]
  ],
  ['a locked user', closed, route({}), { ...alice, barred: 'user_locked' }, ['refused', 401, 'user_locked']],
  ['behind anonymous nobody is tried', hidden, guarded, alice, ['granted', null, null]],
  ['first lets the anonymous in', mixed, route({}), nobody, ['granted', null, null]],
  ['unknown path in a closed zone, no proof', closed, null, nobody, ['refused', 401, 'no-proof']],
  ['unknown path in a closed zone, proof', closed, null, alice, ['not found', 404, null]],
  ['unknown path outside', null, null, nobody, ['not found', 404, null]],
  ['guarded outside every zone', null, guarded, alice, ['refused', 403, 'no-identity']],
  ['every clause passes', mixed, guarded, alice, ['granted', null, null]],
  ['one clause does not', mixed, refused, alice, ['refused', 403, 'abstain']],
  ['the subject is the route parameter', mixed, subject, alice, ['granted', null, null]],
  ['an empty requirement lets nobody in', mixed, route({ requirement: [] }), alice, ['refused', 403, 'no-voter']],
  ['a route that asks for the session, no proof', null, own, nobody, ['refused', 401, 'no-session']],
  ['a route that asks for the session, proof', null, own, alice, ['granted', null, null]],
  ['a locked user has no session', null, own, { ...alice, barred: 'user_locked' }, ['refused', 401, 'user_locked']],
  ['the second step of a login, nothing pending', null, second, alice, ['refused', 401, 'no-pending-login']],
  ['@Anonymous in a closed zone', closed, route({ anonymous: true }), nobody, ['granted', null, null]],
  ['@BypassFirewall in a closed zone', closed, route({ bypassFirewall: true }), nobody, ['granted', null, null]]
]

for (const [name, held, declared, caller, [decision, status, reason]] of rows) {
  t.test(name, async (t) => {
    const found = declared && { route: declared, params: { id: '7' } }
    const request = { found, path: '/api/x/7', socket: false, caller }
    t.match(await explainRequest(request, security(held)), { outcome: { decision, status, reason } })
  })
}

t.test('without svc-security nobody passes a guard', async (t) => {
  const found = { route: guarded, params: {} }
  const request = { found, path: '/api/x/7', socket: false, caller: alice }
  t.match(await explainRequest(request, null), { outcome: { status: 403, reason: 'no-identity' } })
})

t.test('what is assumed is said', async (t) => {
  const noteOf = async (caller: Caller, held: ZoneView) => {
    const request = { found: { route: route({}), params: {} }, path: '/', socket: false, caller }
    return (await explainRequest(request, security(held))).note
  }
  t.match(await noteOf(alice, open), /no authenticator of zone z can identify alice/)
  t.match(await noteOf(alice, closed), /alice is authenticated/)
  t.equal(await noteOf(nobody, open), null)
})

t.test('S1: one answer per authenticator, and none for all where they differ', async (t) => {
  const request = { found: { route: guarded, params: {} }, path: '/', socket: false, caller: alice }
  const types: string[] = []
  const held = zone({ authenticators: ['session', 'jwt', 'robot', 'anonymous'], admitsAnonymous: true })
  const view: SecurityView = {
    ...security(held),
    explain: async (token) => {
      types.push(token.type)
      const granted = token.type === 'session'
      return { granted, reason: granted ? null : 'abstain', votes: [] }
    }
  }
  const { proofs, outcome } = await explainRequest(request, view)
  t.strictSame(
    proofs.map(({ authenticator, status }) => [authenticator, status]),
    [
      ['session', null],
      ['jwt', 403],
      ['robot', 403]
    ]
  )
  t.equal(outcome, null)
  t.strictSame(new Set(types), new Set(['session', 'jwt', 'robot']))
})

t.test('S8: a WEBSOCKET-only route answers a plain request with 426', async (t) => {
  const found = { route: route({ transports: ['WEBSOCKET'], name: 'Echo.echo' }), params: {} }
  const request = { found, path: '/api/x/7', socket: false, caller: nobody }
  t.match(await explainRequest(request, security(open)), { outcome: { decision: 'upgrade required', status: 426 } })
  t.match(await explainRequest({ ...request, socket: true }, security(open)), { outcome: { status: null } })
  t.match(await explainRequest(request, security(closed)), { outcome: { status: 401 } }, 'the firewall comes first')
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
