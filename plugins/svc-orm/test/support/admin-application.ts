/** An application whose administrators say their roles in a header, and what the journal is told. */
import Fastify from 'fastify'
import { type AuditRecord, createAccessToken } from 'svc-kernel'
import type { Test } from 'tap'
import svcOrm, { type EntityDefinition, type SvcOrmOptions } from '../../src/index.ts'

/** Not ready yet: `x-roles` has the roles of a caller, separated by commas. */
export async function adminApplication(t: Test, options: SvcOrmOptions, entities: readonly EntityDefinition[]) {
  const fastify = Fastify()
  t.teardown(() => fastify.close())
  const events: AuditRecord[] = []
  fastify.decorate('audit', { record: (event: AuditRecord) => void events.push(event) } as never)
  await fastify.register(svcOrm, { memory: true, ...options, parts: { entities } })
  fastify.addHook('onRequest', async (request) => {
    const roles = request.headers['x-roles']
    if (typeof roles !== 'string') return
    const user = { identifier: 'root', roles: roles.split(',') }
    request.token = createAccessToken({ type: 'session', user })
    request.user = user
  })
  fastify.accessGate.use({
    allows: (token, requirement) =>
      requirement.every((clause) => clause.some(({ attribute }) => token.user.roles.includes(attribute)))
  })
  return { fastify, events }
}
