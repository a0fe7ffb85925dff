/** Puts the lock of a channel before the access gate: the jury that decides for routes decides for channels. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { SUBJECT } from './channel-lock.ts'
import type { ChannelAction, ChannelLocks } from './channel-locks.ts'

export class ChannelGate {
  readonly #fastify: FastifyInstance
  readonly #locks: ChannelLocks

  constructor(fastify: FastifyInstance, locks: ChannelLocks) {
    this.#fastify = fastify
    this.#locks = locks
  }

  /** Never throws, never rejects. @param request the upgrade request of the socket */
  admits(request: FastifyRequest, channel: string, action: ChannelAction): boolean | Promise<boolean> {
    const { guard, rest } = this.#locks.guardOf(channel, action)
    if (guard === 'open') return true
    if (guard === 'closed') return false
    // The subject of a guard is a route parameter by name; here the channel has the only one.
    const asked = Object.create(request, { params: { value: { [SUBJECT]: rest } } }) as FastifyRequest
    return this.#fastify.accessGate.judge(request.token, guard, asked)
  }
}
