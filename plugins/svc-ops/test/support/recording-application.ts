/** An application that records its requests, with an administrator as its caller. */
import Fastify from 'fastify'
import { createAccessToken } from 'svc-kernel'
import type { Test } from 'tap'
import svcOps from '../../src/index.ts'

export async function recordingApplication(t: Test) {
  const fastify = Fastify()
  t.teardown(() => fastify.close())
  await fastify.register(svcOps, { requests: { enabled: true } })
  fastify.accessGate.use({ allows: () => true })
  fastify.addHook('onRequest', async (request) => {
    request.token = createAccessToken({ type: 'session', user: { identifier: 'root', roles: [] } })
  })
  /** The last request of a route: its row in the list, and the whole of it. */
  const read = async (route: string) => {
    const [row] = (await fastify.inject(`/svc/ops/api/requests?route=${route}`)).json().items
    return { row, whole: (await fastify.inject(`/svc/ops/api/requests/${row.id}`)).json() }
  }
  return { fastify, read }
}
