/** What is measured without a server: CPU time per operation, and one decision of the jury. */
import Fastify from 'fastify'
import { createAccessToken } from 'svc-kernel'
import svcSecurity, { ABSTAIN, GRANT, type Vote } from 'svc-security'

/** @returns microseconds of CPU per operation */
export function cpuPerOperation(count: number, work: () => unknown): number {
  const before = process.cpuUsage()
  for (let done = 0; done < count; done += 1) work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / count
}

/** A decision on an attribute that two synchronous voters answer: one abstains, one grants. */
export async function juryOfTwo(): Promise<() => unknown> {
  const fastify = Fastify()
  await fastify.register(svcSecurity, { parts: { voters: [voter('first', ABSTAIN), voter('second', GRANT)] } })
  await fastify.ready()
  const token = createAccessToken({ type: 'session', user: { identifier: 'alice' } })
  return () => fastify.jury.decide(token, 'read')
}

function voter(name: string, vote: Vote) {
  return { name, supports: (attribute: string) => attribute === 'read', vote: () => vote }
}
