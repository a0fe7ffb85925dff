/**
 * For balancers and orchestrators, which prove nothing: one word, and nothing of the inside. `live` says that the
 * process answers, `ready` that it can do its work; `/svc/ops/health` is `ready` under its older name.
 */
import type { FastifyContextConfig, FastifyInstance, FastifyReply } from 'fastify'
import type {} from 'svc-kernel'
import { health } from '../answers.ts'
import type { Health, Readiness } from './readiness.ts'

export const HEALTH_PATH = '/svc/ops/health'

const schema = { response: { 200: health, 503: health } }

export function healthRoutes(fastify: FastifyInstance, readiness: Readiness): void {
  const ready = async (_request: unknown, reply: FastifyReply) => say(reply, await readiness.health())
  fastify.get(HEALTH_PATH, { config: open('svc.ops.health'), schema }, ready)
  fastify.get(`${HEALTH_PATH}/ready`, { config: open('svc.ops.ready'), schema }, ready)
  fastify.get(`${HEALTH_PATH}/live`, { config: open('svc.ops.live'), schema }, async (_request, reply) =>
    say(reply, 'ok')
  )
}

function say(reply: FastifyReply, status: Health): { readonly status: Health } {
  reply.code(status === 'failing' ? 503 : 200).header('cache-control', 'no-store')
  return { status }
}

function open(name: string): FastifyContextConfig {
  const svc = { name, requirement: null, anonymous: false, bypassFirewall: true, source: null }
  return { svc: { ...svc, transports: ['HTTP'] }, requestLog: 'failures' }
}
