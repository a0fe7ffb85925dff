/** The id of a failed call: for who is signed in, at APIs of svc, leading to the request where it is recorded. */
import Fastify from 'fastify'
import { createAccessToken } from 'svc-kernel'
import { adminRoute } from 'svc-kernel/plugin'
import t, { type Test } from 'tap'
import svcOps from '../../src/index.ts'

async function app(t: Test, enabled: boolean) {
  const fastify = Fastify({ requestIdHeader: 'x-request-id' })
  t.teardown(() => fastify.close())
  await fastify.register(svcOps, { requests: { enabled } })
  fastify.accessGate.use({ allows: ({ user }) => user.roles.includes('ROLE_SVC_ADMIN') })
  fastify.addHook('onRequest', async (request) => {
    const { who } = request.headers
    if (who === undefined) return
    const roles = who === 'root' ? ['ROLE_SVC_ADMIN'] : []
    const type = who === 'visitor' ? 'anonymous' : 'session'
    request.token = createAccessToken({ type, user: { identifier: String(who), roles } })
    request.user = request.token.user
  })
  const fails = async () => {
    throw Object.assign(new Error('no'), { statusCode: 409 })
  }
  fastify.get('/svc/failing', adminRoute('svc.test.failing'), fails)
  fastify.get('/own', fails)
  const told = async (url: string, who?: string, id = 'r-1') => {
    const headers = { 'x-request-id': id, ...(who === undefined ? {} : { who }) }
    const answer = await fastify.inject({ url, headers })
    return [answer.statusCode, answer.headers['x-request-id'], answer.headers.link]
  }
  return { fastify, told }
}

const LINK = '</svc/ops/api/requests/r-1>; rel="describedby"'

t.test('a failed call of who is signed in has it, with the way to its record', async (t) => {
  const { fastify, told } = await app(t, true)
  t.strictSame(await told('/svc/failing', 'root'), [409, 'r-1', LINK])
  const record = await fastify.inject({ url: '/svc/ops/api/requests/r-1', headers: { who: 'root' } })
  t.match(record.json(), { id: 'r-1', url: '/svc/failing', status: 409 })
  t.strictSame(await told('/svc/failing', 'paul'), [403, 'r-1', LINK])
  t.strictSame(await told('/svc/ops/api/rates', 'root'), [200, undefined, undefined], 'where nothing failed')
})

t.test('visitors, routes of the application, and ids that are no plain words have none', async (t) => {
  const { told } = await app(t, true)
  t.strictSame(await told('/svc/failing'), [403, undefined, undefined])
  t.strictSame(await told('/svc/failing', 'visitor'), [403, undefined, undefined])
  t.strictSame(await told('/own', 'root'), [409, undefined, undefined])
  for (const id of ['a b', '<r>', 'é', 'x'.repeat(257)]) {
    t.strictSame(await told('/svc/failing', 'root', id), [409, undefined, undefined], id)
  }
})

t.test('where requests are not recorded there is the id, and no way', async (t) => {
  const { told } = await app(t, false)
  t.strictSame(await told('/svc/failing', 'root'), [409, 'r-1', undefined])
})

t.test('an id that the application sends already stays', async (t) => {
  const { fastify, told } = await app(t, true)
  fastify.addHook('onRequest', async (_request, reply) => void reply.header('x-request-id', 'own'))
  t.strictSame(await told('/svc/failing', 'root'), [409, 'own', LINK])
})
