/** `fastify.jury`: decide with its one record, the dry runs, and what is no identity. */
import { type AccessToken, ANONYMOUS_TOKEN } from 'svc-kernel'
import { runInContext } from 'svc-kernel/plugin'
import t from 'tap'
import type { AccessVoter, Jury } from '../../src/index.ts'
import { securedApp } from '../support/guarded-app.ts'
import { ERROR, logLines, WARN } from '../support/log-lines.ts'
import { aToken } from '../support/tokens.ts'

async function seated(voters: AccessVoter[] = []) {
  const { lines, logger } = logLines('warn')
  const records: Array<Record<string, unknown>> = []
  const app = await securedApp({ roleHierarchy: { ROLE_ADMIN: ['ROLE_USER'] }, parts: { voters } }, { logger })
  app.decorate('audit', {
    record: (event) => void records.push({ ...event }),
    subscribe: () => () => {},
    recent: () => [],
    flushed: async () => undefined
  })
  await app.ready()
  return { app, jury: app.jury as Jury, lines, records }
}

t.test('grants are not recorded, and answered at once', async (t) => {
  const { app, jury, lines, records } = await seated()
  t.teardown(() => app.close())
  t.equal(jury.decide(aToken({ roles: ['ROLE_ADMIN'] }), 'ROLE_USER'), true)
  t.same([lines, records], [[], []])
})

t.test('a denial is one WARN line and one record', async (t) => {
  const { app, jury, lines, records } = await seated()
  t.teardown(() => app.close())
  t.equal(jury.decide(aToken({ identifier: 'bob' }), 'ROLE_USER'), false)
  t.match(lines, [{ level: WARN, attribute: 'ROLE_USER', reason: 'abstain', actor: 'bob', msg: 'access denied' }])
  t.match(records, [
    { category: 'authz', action: 'access.denied', actor: 'bob', resource: 'ROLE_USER', reason: 'abstain' }
  ])
  t.equal(lines.length + records.length, 2)
})

t.test('a veto shows the voter and its reason', async (t) => {
  const voter: AccessVoter = {
    name: 'frozen',
    supports: () => true,
    vote: async () => ({ vote: 'DENY', reason: 'account frozen' })
  }
  const { app, jury, lines, records } = await seated([voter])
  t.teardown(() => app.close())
  t.equal(await jury.decide(aToken(), 'verb'), false)
  t.match(lines, [{ reason: 'veto', voter: 'frozen', detail: 'account frozen' }])
  t.match(records, [{ reason: 'veto', metadata: { voter: 'frozen', detail: 'account frozen' } }])
})

const thrown: Array<[string, () => unknown]> = [
  ['an Error', () => new Error('voter down')],
  ['undefined', () => undefined],
  ['a text', () => 'text'],
  ['a frozen object', () => Object.freeze({ message: 'frozen' })],
  [
    'an object with throwing getters',
    () => ({
      get message() {
        throw new Error('x')
      },
      get stack() {
        throw new Error('y')
      }
    })
  ],
  [
    'an Error with throwing getters',
    () =>
      Object.defineProperty(new Error('z'), 'message', {
        get() {
          throw new Error('x')
        }
      })
  ],
  [
    'a revoked proxy',
    () => {
      const { proxy, revoke } = Proxy.revocable({}, {})
      revoke()
      return proxy
    }
  ],
  ['an object without prototype', () => Object.create(null)]
]
for (const [title, make] of thrown) {
  t.test(`a voter that throws ${title}: denied, logged at ERROR, never thrown on`, async (t) => {
    const sync: AccessVoter = {
      name: 'broken',
      supports: (a) => a === 'now',
      vote: () => {
        throw make()
      }
    }
    const later: AccessVoter = { name: 'broken', supports: (a) => a === 'later', vote: () => Promise.reject(make()) }
    const { app, jury, lines, records } = await seated([sync, later])
    t.teardown(() => app.close())
    t.equal(await jury.decide(aToken(), 'now'), false)
    t.equal(await jury.decide(aToken(), 'later'), false)
    t.same(
      lines.map(({ level, reason, voter }) => [level, reason, voter]),
      [
        [ERROR, 'error', 'broken'],
        [WARN, 'error', 'broken'],
        [ERROR, 'error', 'broken'],
        [WARN, 'error', 'broken']
      ]
    )
    t.same(
      records.map(({ reason }) => reason),
      ['error', 'error']
    )
  })
}

const strangers: Array<[string, unknown]> = [
  ['null', null],
  ['undefined', undefined],
  ['a text', 'alice'],
  ['an object without a user', {}],
  ['an empty identifier', { getUserIdentifier: () => '' }],
  ['a user and another name', { user: { identifier: 'alice' }, getUserIdentifier: () => 'root' }],
  [
    'a throwing method',
    {
      getUserIdentifier: () => {
        throw new Error('x')
      }
    }
  ]
]
for (const [title, token] of strangers) {
  t.test(`no identity, no grant: ${title}`, async (t) => {
    const { app, jury, records } = await seated([{ supports: () => true, vote: () => 'GRANT' }])
    t.teardown(() => app.close())
    t.equal(await jury.decide(token as AccessToken, 'verb'), false)
    t.match(records, [{ reason: 'no-identity', actor: null }])
  })
}

t.test('a foreign token that names its user is read once, frozen', async (t) => {
  const { app, jury } = await seated()
  t.teardown(() => app.close())
  class RealtimeToken {
    type = 'session'
    roles = ['ROLE_ADMIN']
    getUserIdentifier() {
      return 'alice'
    }
  }
  t.equal(jury.decide(new RealtimeToken() as unknown as AccessToken, 'ROLE_USER'), true)
})

t.test('an identifier with control characters is escaped and shortened', async (t) => {
  const { app, jury, lines, records } = await seated()
  t.teardown(() => app.close())
  void jury.decide(aToken({ identifier: `eve\n{"level":50}\u001b[31m${'x'.repeat(500)}` }), 'ROLE_USER')
  const [record] = records
  t.match(record?.actor, /^eve\\u000a\{"level":50\}\\u001b\[31mx+\.\.\.$/)
  t.ok(String(record?.actor).length < 300)
  t.equal(lines[0]?.actor, record?.actor)
})

t.test('explain shows every vote and tells nobody', async (t) => {
  const voter: AccessVoter = {
    name: 'owner',
    supports: () => true,
    vote: () => ({ vote: 'ABSTAIN', reason: 'not the owner' })
  }
  const { app, jury, lines, records } = await seated([voter])
  t.teardown(() => app.close())
  t.same(await jury.explain(aToken({ identifier: 'eve', roles: [] }), 'ROLE_USER'), {
    granted: false,
    reason: 'abstain',
    votes: [
      { voter: 'role', vote: 'ABSTAIN', reason: 'ROLE_USER is missing: eve has no role; ROLE_ADMIN inherits it' },
      { voter: 'owner', vote: 'ABSTAIN', reason: 'not the owner' }
    ]
  })
  t.same(await jury.explain(null, 'ROLE_USER'), { granted: false, reason: 'no-identity', votes: [] })
  t.same([lines, records], [[], []])
})

t.test('before the end of boot nothing is granted', async (t) => {
  const app = await securedApp({ parts: { voters: [{ supports: () => true, vote: () => 'GRANT' }] } })
  t.teardown(() => app.close())
  t.equal(app.jury.decide(aToken(), 'verb'), false)
  await app.ready()
  t.equal(app.jury.decide(aToken(), 'verb'), true)
})

t.test('the anonymous user holds no role', async (t) => {
  const { app, jury } = await seated()
  t.teardown(() => app.close())
  t.equal(jury.decide(ANONYMOUS_TOKEN, 'ROLE_USER'), false)
})

t.test('a denial inside a request carries its id and address', async (t) => {
  const { app, jury, records } = await seated()
  t.teardown(() => app.close())
  const routeOptions = { config: { url: '/files/:id' } }
  const request = { id: 'req-9', ip: '192.0.2.1', method: 'GET', routeOptions, headers: {}, log: app.log }
  runInContext(request as never, () => jury.decide(aToken(), 'ROLE_USER'))
  t.match(records, [{ requestId: 'req-9', ip: '192.0.2.1', userAgent: null }])
})
