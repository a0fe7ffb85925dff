/** The gates before a change: those of the application where it has them, and no promise without them. */
import type { FastifyInstance } from 'fastify'
import { decorateOff } from 'svc-kernel/plugin'
import t from 'tap'
import { openApp } from '../support/admin-app.ts'

const GIVEN = { url: 'https://a.example/', events: ['*'] }

function withGates(passed: string[]) {
  return (fastify: FastifyInstance) => {
    fastify.decorate('gates', {
      csrf: (_request, _reply, payload, done) => {
        passed.push('csrf')
        done(null, payload)
      },
      session: (_request, _reply, payload, done) => done(null, payload),
      recentProof: (_request, _reply, payload, done) => done(null, payload),
      rights: { proof: null, check: () => undefined, checkLeaving: async () => undefined },
      idempotency: {
        preHandler: async () => {
          passed.push('enter')
        },
        onSend: async (_request: unknown, _reply: unknown, payload: unknown) => {
          passed.push('leave')
          return payload
        }
      }
    } as FastifyInstance['gates'])
  }
}

t.test('every change passes both gates, no read does', async (t) => {
  const passed: string[] = []
  const { call } = await openApp(t, { before: withGates(passed) })
  const { id } = (await call('POST', '', GIVEN)).body.endpoint
  t.strictSame(passed, ['csrf', 'enter', 'leave'])
  for (const [method, path, body] of [
    ['PATCH', `/${id}`, { enabled: true }],
    ['POST', `/${id}/rotate`, undefined],
    ['POST', `/${id}/reveal`, undefined],
    ['POST', `/${id}/test`, undefined],
    ['POST', `/${id}/deliveries/msg_x/resend`, undefined],
    ['DELETE', `/${id}`, undefined]
  ] as const) {
    passed.length = 0
    await call(method, path, body)
    t.strictSame(passed, ['csrf', 'enter', 'leave'], `${method} ${path}`)
  }
  passed.length = 0
  for (const path of ['', '/stats', '/event-types', `/${id}`, `/${id}/deliveries`]) await call('GET', path)
  t.strictSame(passed, [])
})

t.test('a refused caller reaches neither', async (t) => {
  const passed: string[] = []
  const { call } = await openApp(t, { before: withGates(passed) })
  t.equal((await call('POST', '', GIVEN, { headers: { 'x-roles': 'ROLE_USER' } })).status, 403)
  t.notOk(passed.includes('csrf') || passed.includes('enter'))
})

const withoutGates: Array<[title: string, before: (fastify: FastifyInstance) => void]> = [
  ['without gates a key is refused, as nobody would keep its promise', () => undefined],
  ['E8: so where gates are switched off', (app) => decorateOff(app, 'gates', () => new Error('it is off'))]
]
for (const [title, before] of withoutGates) {
  t.test(title, async (t) => {
    const { call } = await openApp(t, { before })
    const answer = await call('POST', '', GIVEN, { headers: { 'idempotency-key': 'k1' } })
    t.equal(answer.status, 503)
    t.equal(answer.body.code, 'SVC_WEBHOOKS_NO_GATE')
    t.equal((await call('GET')).body.total, 0)
    t.equal((await call('POST', '', GIVEN)).status, 201)
  })
}
