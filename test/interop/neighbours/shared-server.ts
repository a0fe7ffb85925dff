/** A server with both sides on it, listening; closed with the test. */
import { fastify as createFastify, type FastifyInstance } from 'fastify'
import type { Test } from 'tap'
import { portOf } from '../../support/ports.ts'
import { Caller } from './caller.ts'
import type { Given, Neighbour, Order, Plugin } from './neighbour.ts'
import { oursHolds, registerControllers, registerOurs } from './our-side.ts'

export async function pluginNamed(name: string): Promise<Plugin> {
  const loaded = (await import(name)) as { default?: Plugin }
  return loaded.default ?? loaded
}

type Registers = Pick<Neighbour, 'name' | 'register' | 'routes' | 'ours' | 'security' | 'body'>

/** @throws what the boot throws; the server is closed with the test */
export async function sharedServer(neighbour: Registers, given: Given): Promise<FastifyInstance> {
  const { order, t } = given
  const fastify = createFastify({ logger: false })
  t.teardown(() => fastify.close())
  const plugin = await pluginNamed(neighbour.name)
  const register = async (scope: FastifyInstance) => void (await neighbour.register(scope, plugin, given))
  const routes = (scope: FastifyInstance) => {
    for (const at of ['/open', '/in']) neighbour.routes?.(scope, at)
  }
  if (order === 'before') await register(fastify)
  await neighbour.ours?.(fastify, given)
  await registerOurs(fastify, neighbour.security?.(order))
  if (order === 'after') await register(fastify)
  if (order === 'scope') {
    await fastify.register(async (scope) => {
      await register(scope)
      routes(scope)
    })
  } else routes(fastify)
  await registerControllers(fastify, order === 'scope' ? undefined : neighbour.body)
  await fastify.listen({ port: 0, host: '127.0.0.1' })
  return fastify
}

/** One neighbour in one order: its own side without and with a login, then ours. */
export async function bothHold(t: Test, neighbour: Neighbour, order: Order, address: string): Promise<void> {
  const fastify = await sharedServer(neighbour, { t, order, address })
  const port = portOf(fastify.server)
  await neighbour.holds(t, { at: '/open', caller: new Caller(port), fastify, order })
  const alice = await new Caller(port).login()
  await neighbour.holds(t, { at: '/in', caller: alice, fastify, order })
  await oursHolds(t, fastify, new Caller(port), alice)
}
