/** The same guard where no hooks run: a message of a WebSocket is put before the gate of its instance. */
import { fastify as createFastify, type FastifyInstance, type FastifyRequest } from 'fastify'
import t, { type Test } from 'tap'
import { checkAccess } from '../../src/access/guard.hook.ts'
import { createAccessToken } from '../../src/identity/identity.ts'
import { ensureKernel } from '../../src/index.ts'

const requirement = [[{ attribute: 'ROLE_EDITOR' }]]
const token = createAccessToken({ type: 'test', user: { identifier: 'ada', roles: [] } })
const denied = { code: 'SVC_SEC_DENIED', statusCode: 403 }

/** Runs `check` inside a request of an application, as a transport would. */
async function within(
  t: Test,
  kernel: boolean,
  check: (fastify: FastifyInstance, request: FastifyRequest) => void
): Promise<void> {
  const fastify = createFastify()
  t.teardown(() => fastify.close())
  if (kernel) await ensureKernel(fastify)
  fastify.get('/', (request) => {
    check(fastify, request)
    return 'done'
  })
  t.equal((await fastify.inject('/')).body, 'done')
}

t.test('an instance without the kernel denies', (t) =>
  within(t, false, (fastify, request) => {
    t.throws(() => checkAccess(fastify, request, requirement), denied)
  })
)

t.test('a gate without an engine denies', (t) =>
  within(t, true, (fastify, request) => {
    request.token = token
    t.throws(() => checkAccess(fastify, request, requirement), denied)
  })
)

t.test('the engine is asked about this caller, this requirement and this request', (t) =>
  within(t, true, (fastify, request) => {
    const asked: unknown[] = []
    fastify.accessGate.use({
      allows(...question) {
        asked.push(...question)
        return true
      }
    })
    request.token = token
    t.equal(checkAccess(fastify, request, requirement), undefined)
    t.equal(asked[0], token)
    t.equal(asked[1], requirement)
    t.equal(asked[2], request)
  })
)

t.test('without an identity it denies, whatever the engine says', (t) =>
  within(t, true, (fastify, request) => {
    fastify.accessGate.use({ allows: () => true })
    t.throws(() => checkAccess(fastify, request, requirement), denied)
  })
)
