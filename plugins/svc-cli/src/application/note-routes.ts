/** Observes which routes an application declares, whichever plugin declares them, from its first one on. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { FastifyInstance } from 'fastify'
import type { DeclaredRoute } from 'svc-kernel/plugin'

/** Fastify tells of every instance it makes, before any plugin is registered on it. */
const CREATED = 'fastify.initialization'

/**
 * Observes the next Fastify instance that is made in this process.
 *
 * @param into filled as routes are declared, for `listRoutes` of the kernel
 * @returns how to stop waiting for an instance
 */
export function noteRoutes(into: DeclaredRoute[]): () => void {
  const observe = (message: unknown): void => {
    stop()
    ;(message as { fastify: FastifyInstance }).fastify.addHook('onRoute', (options) => {
      into.push({ url: options.url, options })
    })
  }
  const stop = (): void => {
    unsubscribe(CREATED, observe)
  }
  subscribe(CREATED, observe)
  return stop
}
