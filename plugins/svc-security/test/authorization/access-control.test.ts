/** Clauses AND, attributes OR, subjects from the route, and one record per denied access. */
import type { FastifyRequest } from 'fastify'
import { guardHooks, type Requirement } from 'svc-kernel'
import t from 'tap'
import { AccessControl } from '../../src/authorization/access-control.ts'
import { GRANTED } from '../../src/authorization/access-decision-manager.ts'
import type { AccessVoter, Jury } from '../../src/index.ts'
import type { SecurityJournal } from '../../src/journal/security-journal.ts'
import { requires, securedApp } from '../support/guarded-app.ts'
import { logLines, WARN } from '../support/log-lines.ts'
import { aToken, HeaderAuthenticator } from '../support/tokens.ts'

/** Votes what the attribute says: `deny:1`, `later-abstain:2`... */
const literal: AccessVoter = {
  name: 'literal',
  supports: (attribute) => /^(later-)?(grant|deny|abstain|throw)$/.test(attribute),
  vote: (_token, attribute) => {
    const word = attribute.replace('later-', '').toUpperCase()
    if (word === 'THROW') throw new Error('broken voter')
    const vote = word as 'GRANT' | 'DENY' | 'ABSTAIN'
    return attribute.startsWith('later-') ? Promise.resolve(vote) : vote
  }
}

async function app(requirement: Requirement, voters: AccessVoter[] = [literal]) {
  const { lines, logger } = logLines()
  const records: unknown[] = []
  const fastify = await securedApp(
    {
      areas: { all: { pattern: '^/', authenticators: ['key'] } },
      parts: { voters, authenticators: { key: new HeaderAuthenticator('key', 'apikey') } }
    },
    { logger }
  )
  fastify.decorate('audit', {
    record: (event: unknown) => void records.push(event),
    subscribe: () => () => {},
    recent: () => [],
    flushed: async () => undefined
  })
  fastify.get('/things/:id', guardHooks(requirement), async () => 'done')
  return { fastify, lines, records }
}

const or = (...attributes: string[]): Requirement => [attributes.map((attribute) => ({ attribute }))]

const rows: Array<[title: string, requirement: Requirement, status: number, reason?: string, resource?: string]> = [
  ['A', or('grant'), 200],
  ['A or B', or('grant', 'abstain'), 200],
  ['a veto does not cross an OR', or('deny', 'grant'), 200],
  ['a veto does not cross an OR, answered later', or('later-deny', 'later-grant'), 200],
  ['a failure does not cross an OR', or('throw', 'grant'), 200],
  ['A and B', requires('grant', 'later-grant', 'grant'), 200],
  ['A and vetoed B', requires('grant', 'deny'), 403, 'veto', 'deny'],
  ['A later and vetoed B', requires('later-grant', 'later-deny'), 403, 'veto', 'later-deny'],
  ['nobody in favour', or('abstain', 'later-abstain'), 403, 'abstain', 'abstain'],
  ['the veto is the strongest reason', or('abstain', 'unknown', 'later-deny', 'throw'), 403, 'veto', 'later-deny'],
  ['then the failure', or('abstain', 'throw', 'unknown'), 403, 'error', 'throw'],
  ['then the abstention', or('unknown', 'abstain'), 403, 'abstain', 'abstain'],
  ['nobody to ask', or('unknown'), 403, 'no-voter', 'unknown'],
  ['an empty OR refuses everyone', [[]], 403, 'no-voter', '']
]

for (const [title, requirement, status, reason, resource] of rows) {
  t.test(`${title}: ${status}`, async (t) => {
    const { fastify, lines, records } = await app(requirement)
    t.teardown(() => fastify.close())
    const answer = await fastify.inject({ url: '/things/1', headers: { 'x-key': 'alice', 'user-agent': 'test\u0007' } })
    t.equal(answer.statusCode, status)
    const warnings = lines.filter(({ level, msg }) => level === WARN && msg === 'access denied')
    if (reason === undefined) {
      t.same(records, [])
      t.same(warnings, [])
      return
    }
    t.match(records, [
      {
        category: 'authz',
        action: 'access.denied',
        outcome: 'denied',
        actor: 'alice',
        resource,
        reason,
        ip: '127.0.0.1',
        userAgent: 'test\\u0007',
        requestId: String
      }
    ])
    t.equal(records.length, 1)
    t.match(warnings, [{ actor: 'alice', attribute: resource, reason }])
    t.equal(warnings.length, 1)
  })
}

t.test('a refused caller learns nothing of the reason', async (t) => {
  const bodies = new Set<string>()
  for (const attribute of ['deny', 'abstain', 'unknown', 'throw', 'later-deny']) {
    const { fastify } = await app(requires(attribute))
    const answer = await fastify.inject({ url: '/things/1', headers: { 'x-key': 'alice' } })
    bodies.add(`${answer.statusCode} ${answer.body}`)
    await fastify.close()
  }
  t.equal(bodies.size, 1)
})

t.test('the subject is the decoded value of the route parameter', async (t) => {
  const subjects: unknown[] = []
  const owner: AccessVoter = {
    supports: (attribute) => attribute === 'edit',
    vote: (_token, _attribute, subject) => (subjects.push(subject) ? 'GRANT' : 'DENY')
  }
  const { fastify } = await app([[{ attribute: 'edit', subject: 'id' }]], [owner])
  t.teardown(() => fastify.close())
  for (const id of ['7', 'a%2fb', 'a%252fb', '%C3%A9', '']) {
    await fastify.inject({ url: `/things/${id}`, headers: { 'x-key': 'alice' } })
  }
  t.same(subjects, ['7', 'a/b', 'a%2fb', 'é', ''])
})

t.test('a guard on a parameter the route does not have is refused, never asked without subject', async (t) => {
  let asked = 0
  const owner: AccessVoter = { supports: () => true, vote: () => (++asked > 0 ? 'GRANT' : 'DENY') }
  const { fastify, records } = await app([[{ attribute: 'edit', subject: 'toString' }]], [owner])
  t.teardown(() => fastify.close())
  const answer = await fastify.inject({ url: '/things/1', headers: { 'x-key': 'alice' } })
  t.equal(answer.statusCode, 403)
  t.equal(asked, 0)
  t.match(records, [{ reason: 'error' }])
})

t.test('an empty requirement grants nobody', async (t) => {
  const { fastify } = await app([])
  t.teardown(() => fastify.close())
  t.equal((await fastify.inject({ url: '/things/1', headers: { 'x-key': 'alice' } })).statusCode, 403)
})

t.test('an audit sink that throws, rejects or hangs neither changes nor delays the answer', async (t) => {
  const sinks: Array<() => unknown> = [
    () => {
      throw new Error('sink')
    },
    () => Promise.reject(new Error('sink')),
    () => new Promise(() => {})
  ]
  for (const record of sinks) {
    const fastify = await securedApp({
      areas: { all: { pattern: '^/', authenticators: ['key'] } },
      parts: { authenticators: { key: new HeaderAuthenticator('key') } }
    })
    fastify.decorate('audit', {
      record: record as () => void,
      subscribe: () => () => {},
      recent: () => [],
      flushed: async () => undefined
    })
    fastify.get('/x', guardHooks(requires('ROLE_NONE')), async (_request: FastifyRequest) => 'done')
    t.equal((await fastify.inject({ url: '/x', headers: { 'x-key': 'alice' } })).statusCode, 403)
    await fastify.close()
  }
})

t.test('the engine itself, without the gate before it, grants nothing for an empty requirement', (t) => {
  const journal = { accessDenied: () => {} } as unknown as SecurityJournal
  const engine = new AccessControl(
    { deliberate: () => GRANTED } as unknown as Jury,
    journal,
    { now: () => 0 },
    'Bearer'
  )
  const request = { params: {} } as FastifyRequest
  t.equal(engine.allows(aToken(), [], request), false)
  t.equal(engine.allows(aToken(), requires('a'), request), true)
  t.end()
})

t.test('a guarded route outside of every zone: 403, told once, with nobody as its actor', async (t) => {
  const { lines, logger } = logLines()
  const records: unknown[] = []
  const fastify = await securedApp({ areas: {} }, { logger })
  fastify.decorate('audit', {
    record: (event: unknown) => void records.push(event),
    subscribe: () => () => {},
    recent: () => [],
    flushed: async () => undefined
  })
  fastify.get('/things', guardHooks(or('ROLE_A', 'ROLE_B')), async () => 'done')
  t.equal((await fastify.inject('/things')).statusCode, 403)
  t.match(records, [{ action: 'access.denied', actor: null, resource: 'ROLE_A | ROLE_B', reason: 'no-identity' }])
  t.equal(records.length, 1)
  t.equal(lines.filter(({ level, msg }) => level === WARN && msg === 'access denied').length, 1)
  await fastify.close()
})

t.test('a clause that voters refuse later is asked for as a proof, once all others are granted', async (t) => {
  const fastify = await securedApp({
    areas: { all: { pattern: '^/', authenticators: ['key'] } },
    parts: { voters: [literal], authenticators: { key: new HeaderAuthenticator('key', 'session') } }
  })
  t.teardown(() => fastify.close())
  const [recent] = or('FRESH(300)', 'later-deny') as [Requirement[number]]
  fastify.get('/due', guardHooks([recent, ...requires('later-grant')]), async () => 'done')
  fastify.get('/denied', guardHooks([recent, ...requires('later-deny')]), async () => 'done')
  const get = async (url: string) => (await fastify.inject({ url, headers: { 'x-key': 'alice' } })).json()
  t.match(await get('/due'), { statusCode: 403, code: 'SVC_SEC_PROOF_DUE', maxAge: 300 })
  t.match(await get('/denied'), { statusCode: 403, code: 'SVC_SEC_DENIED', maxAge: undefined })
})
