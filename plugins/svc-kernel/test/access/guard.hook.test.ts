/** The guard on plain Fastify routes, over a real socket. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { fastify as createFastify, type FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { guardHooks, requirementOf } from '../../src/access/guard.hook.ts'
import type { Requirement, RouteSecurity } from '../../src/access/requirement.ts'
import { createAccessToken } from '../../src/identity/identity.ts'
import { ensureKernel } from '../../src/index.ts'
import { bodyOf, rawRequest, statusOf } from '../raw-request.ts'

const editor: Requirement = [[{ attribute: 'ROLE_EDITOR' }]]
const admin: Requirement = [[{ attribute: 'ROLE_ADMIN' }]]
const DENIED = { statusCode: 403, code: 'SVC_SEC_DENIED', error: 'Forbidden', message: 'access denied' }
const schema = { body: { type: 'object', required: ['title'], properties: { title: { type: 'string' } } } }

/** An application whose caller is named by a header, and whose engine grants what that name is in `x-name`. */
async function app(t: Test, routes: (fastify: FastifyInstance) => void, later = false): Promise<FastifyInstance> {
  const fastify = createFastify()
  t.teardown(() => fastify.close())
  await ensureKernel(fastify)
  fastify.addHook('onRequest', async (request) => {
    const roles = request.headers['x-roles']
    if (typeof roles === 'string')
      request.token = createAccessToken({ type: 'test', user: { identifier: 'ada', roles: roles.split(',') } })
  })
  fastify.accessGate.use({
    allows(token, requirement) {
      const granted = requirement.every((clause) =>
        clause.some(({ attribute }) => token.user.roles.includes(attribute))
      )
      return later ? nextTurn(granted) : granted
    }
  })
  routes(fastify)
  await fastify.listen({ port: 0, host: '127.0.0.1' })
  return fastify
}

const request = (line: string, ...headers: string[]): string =>
  `${[`${line} HTTP/1.1`, 'Host: a', 'Connection: close', ...headers].join('\r\n')}\r\n\r\n`

for (const later of [false, true]) {
  t.test(`an engine that answers ${later ? 'later' : 'at once'}`, async (t) => {
    const fastify = await app(
      t,
      (fastify) => {
        fastify.get('/a', { ...guardHooks(editor) }, () => ({ ok: true }))
      },
      later
    )
    const refused = await rawRequest(fastify, request('GET /a', 'X-Roles: ROLE_OTHER'))
    t.same(bodyOf(refused), DENIED)
    t.equal(statusOf(await rawRequest(fastify, request('GET /a'))), 403)
    t.equal(statusOf(await rawRequest(fastify, request('GET /a', 'X-Roles: ROLE_EDITOR'))), 200)
    t.equal(statusOf(await rawRequest(fastify, request('HEAD /a'))), 403)
    t.equal(statusOf(await rawRequest(fastify, request('HEAD /a', 'X-Roles: ROLE_EDITOR'))), 200)
  })
}

t.test('a refused caller is told so before the body is read or validated', async (t) => {
  const fastify = await app(t, (fastify) => {
    fastify.post('/a', { schema, ...guardHooks(editor) }, () => ({ ok: true }))
  })
  const post = (body: string, ...headers: string[]): string =>
    request('POST /a', 'Content-Type: application/json', `Content-Length: ${body.length}`, ...headers) + body
  t.equal(statusOf(await rawRequest(fastify, post('{broken'))), 403)
  t.equal(statusOf(await rawRequest(fastify, post('{}'))), 403)
  t.equal(statusOf(await rawRequest(fastify, post('{}', 'X-Roles: ROLE_EDITOR'))), 400)
  t.equal(statusOf(await rawRequest(fastify, post('{"title":"x"}', 'X-Roles: ROLE_EDITOR'))), 200)
  // Not one byte of the body has been sent, and none is waited for.
  const unsent = request('POST /a', 'Content-Type: application/json', 'Content-Length: 900000')
  t.equal(statusOf(await rawRequest(fastify, unsent)), 403)
})

t.test('preHandler refuses where preParsing did not run', async (t) => {
  const { preHandler } = guardHooks(editor)
  const fastify = await app(t, (fastify) => {
    fastify.get('/a', { preHandler }, () => ({ ok: true }))
  })
  t.equal(statusOf(await rawRequest(fastify, request('GET /a', 'X-Roles: ROLE_EDITOR'))), 403)
})

t.test('a grant for one requirement does not stand for another', async (t) => {
  const fastify = await app(t, (fastify) => {
    fastify.get('/a', { preParsing: guardHooks(editor).preParsing, preHandler: guardHooks(admin).preHandler }, () => ({
      ok: true
    }))
  })
  t.equal(statusOf(await rawRequest(fastify, request('GET /a', 'X-Roles: ROLE_EDITOR,ROLE_ADMIN'))), 403)
})

t.test('stacked guards must all grant', async (t) => {
  const member: Requirement = [[{ attribute: 'ROLE_MEMBER' }]]
  const fastify = await app(t, (fastify) => {
    fastify.register(async (area) => {
      for (const guard of [guardHooks(admin), guardHooks(member)]) {
        area.addHook('preParsing', guard.preParsing)
        area.addHook('preHandler', guard.preHandler)
      }
      area.get('/a', { ...guardHooks(editor) }, () => ({ ok: true }))
    })
  })
  t.equal(statusOf(await rawRequest(fastify, request('GET /a', 'X-Roles: ROLE_EDITOR,ROLE_ADMIN'))), 403)
  t.equal(statusOf(await rawRequest(fastify, request('GET /a', 'X-Roles: ROLE_MEMBER,ROLE_ADMIN'))), 403)
  t.equal(statusOf(await rawRequest(fastify, request('GET /a', 'X-Roles: ROLE_EDITOR,ROLE_ADMIN,ROLE_MEMBER'))), 200)
})

t.test('the guard travels with the route, whatever was registered when', async (t) => {
  const fastify = createFastify()
  t.teardown(() => fastify.close())
  const answer = (): object => ({ ok: true })
  fastify.get('/before', { ...guardHooks(editor) }, answer)
  fastify.register(async (child) => {
    child.get('/child', { ...guardHooks(editor) }, answer)
  })
  await ensureKernel(fastify)
  fastify.get('/after', { ...guardHooks(editor) }, answer)
  fastify.get('/open', answer)
  await fastify.listen({ port: 0, host: '127.0.0.1' })
  for (const path of ['/before', '/child', '/after']) {
    t.same(bodyOf(await rawRequest(fastify, request(`GET ${path}`))), DENIED, path)
  }
  t.equal(statusOf(await rawRequest(fastify, request('GET /open'))), 200)
})

t.test('without the kernel a guarded route is closed', async (t) => {
  const fastify = createFastify()
  t.teardown(() => fastify.close())
  fastify.get('/a', { ...guardHooks(editor) }, () => ({ ok: true }))
  await fastify.listen({ port: 0, host: '127.0.0.1' })
  t.same(bodyOf(await rawRequest(fastify, request('GET /a'))), DENIED)
})

t.test('what a route requires is what it states, else what its own guard hooks decide', async (t) => {
  const { preParsing } = guardHooks(editor)
  const other = () => undefined
  t.equal(requirementOf({}), null)
  t.equal(requirementOf({ preParsing: other }), null)
  t.strictSame(requirementOf({ preParsing }), editor)
  t.strictSame(requirementOf({ preParsing: [other, preParsing, guardHooks(admin).preParsing] }), [...editor, ...admin])
  t.strictSame(requirementOf({ config: { svc: { requirement: admin } as RouteSecurity }, preParsing }), admin)
})
