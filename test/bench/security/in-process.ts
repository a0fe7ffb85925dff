/** What is measured without a server: the bare signature check, and one decision of the jury. CPU time per operation. */
import { generateKeyPairSync, sign, verify } from 'node:crypto'
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

/** One Ed25519 verification by `node:crypto`, of as many bytes as a token of ours has. */
export function rawVerification(length: number): () => boolean {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const input = Buffer.alloc(length, 'a')
  const signature = sign(null, input, privateKey)
  return () => verify(null, input, publicKey, signature)
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
