/**
 * Hooks that meet every request of a server, also from a plugin inside a scope: a
 * fastify-cli application loads its `plugins/` folder in one. The hooks go to the
 * root instance, from where Fastify hands them to every scope and to unknown URLs.
 * What a plugin decorates stays in its scope, so a scope that does not hold the
 * application's routes is refused.
 */
import type { FastifyInstance, RouteOptions } from 'fastify'
import { BootError } from '../problems/boot-error.ts'
import type { Problem } from '../problems/problem.ts'

/** What the refusal of a scope says. */
export interface ScopedPlugin {
  readonly name: string
  /** Code of the refusal. */
  readonly code: string
}

/** Routes of svc plugins begin with it: they say nothing of where an application declares its own. */
const RESERVED = '/svc/'

/**
 * The root instance, to add `onRequest` hooks to. Where `fastify` is a scope, the boot ends with a
 * BootError if a route is declared outside of it from now on, or if it holds none of the application's.
 */
export function serverHooks(fastify: FastifyInstance, plugin: ScopedPlugin): FastifyInstance {
  // A scope inherits `addHook` from the instance it was made of; the root has its own.
  const isRoot = (instance: FastifyInstance): boolean => Object.hasOwn(instance, 'addHook')
  if (isRoot(fastify)) return fastify
  const inside: RouteOptions[] = []
  const outside: RouteOptions[] = []
  fastify.addHook('onRoute', (route) => {
    if (!route.url.slice(fastify.prefix.length).startsWith(RESERVED)) inside.push(route)
  })
  let root = fastify
  do {
    root = Object.getPrototypeOf(root) as FastifyInstance
    // It does not reach scopes that are there already: those below `fastify` are not counted.
    root.addHook('onRoute', (route) => {
      outside.push(route)
    })
  } while (!isRoot(root))
  fastify.addHook('onReady', async () => {
    if (outside.length > 0 || inside.length === 0) {
      throw new BootError([refusal(plugin, fastify.pluginName.split(' -> ')[0] ?? '', outside)])
    }
  })
  return root
}

function refusal({ name, code }: ScopedPlugin, scope: string, outside: readonly RouteOptions[]): Problem {
  const [first, ...others] = new Set(outside.map(({ method, url }) => `${[method].flat()[0]} ${url}`))
  const missed = first === undefined ? 'contains no route of the application' : `does not contain ${first}`
  return {
    code,
    message: `${name} is registered in a scope that ${missed}${others.length === 0 ? '' : ` and ${others.length} more`}`,
    at: `the plugin ${scope}`,
    got: 'a nested scope',
    expected: 'the root instance, or the scope that contains every route',
    fix: `in the file that registers ${name}: export default fp(async (fastify) => { ... }), fp of fastify-plugin`,
    more: 'npx svc docs fastify-cli'
  }
}
