/**
 * Decorators that two plugins want. Fastify's own error says the name alone; this one says whose it is, and the option
 * of the other plugin that gives its decorator another name. It is the same whichever comes first.
 */
import type { FastifyInstance } from 'fastify'
import { BootError } from '../problems/boot-error.ts'
import type { Problem } from '../problems/problem.ts'

/** Plugins that decorate a name of ours unless an option says otherwise, and how to see that one of them is there. */
const RIVALS: ReadonlyArray<{
  name: string
  wants: readonly string[]
  isHere(fastify: FastifyInstance): boolean
  fix: string
}> = [
  {
    name: '@fastify/jwt',
    wants: ['user'],
    isHere: (fastify) => fastify.hasPlugin('@fastify/jwt'),
    fix: "register @fastify/jwt with { decoratorName: 'jwtUser' }"
  },
  {
    name: '@fastify/passport',
    wants: ['user'],
    isHere: (fastify) => fastify.hasRequestDecorator('passport'),
    fix: "for @fastify/passport: new Authenticator({ userProperty: 'account' })"
  },
  {
    name: '@fastify/session',
    wants: ['session', 'sessionStore'],
    isHere: (fastify) => fastify.hasPlugin('@fastify/session'),
    fix: 'remove it, because svc-security registers it; or keep yours with svc-security: { session: { shared: false } }'
  },
  {
    name: '@fastify/cookie',
    wants: ['cookies', 'serializeCookie'],
    isHere: (fastify) => fastify.hasPlugin('@fastify/cookie'),
    fix: 'register it before svc-security, or remove it, because svc-security registers it'
  }
]

/**
 * What a svc plugin failed with: where Fastify refused one of its decorators, the same as a problem.
 *
 * @param plugin name of the svc plugin
 */
export function explainTaken(fastify: FastifyInstance, plugin: string, error: unknown): unknown {
  const { code, message = '' } = (error ?? {}) as { code?: unknown; message?: string }
  if (code !== 'FST_ERR_DEC_ALREADY_PRESENT') return error
  const name = /'(.+)'/.exec(message)?.[1] ?? ''
  return new BootError([taken(fastify, { plugin, name, at: plugin })], { cause: error })
}

/**
 * Refuses these decorators, of requests unless said otherwise, to every plugin that comes later, in scopes too. Call it
 * once they are declared.
 */
export function reserveDecorators(
  fastify: FastifyInstance,
  plugin: string,
  names: readonly string[],
  method: 'decorateRequest' | 'decorate' = 'decorateRequest'
): void {
  const reserved = new Set(names)
  const decorate = fastify[method] as (this: FastifyInstance, name: string, ...given: unknown[]) => unknown
  const refuseReserved: typeof decorate = function (name, ...given) {
    if (reserved.has(name))
      throw new BootError([taken(this, { plugin, name, at: this.pluginName.split(' -> ').at(-1) ?? '' })])
    return decorate.call(this, name, ...given)
  }
  Object.assign(fastify, { [method]: refuseReserved })
}

function taken(fastify: FastifyInstance, { plugin, name, at }: Record<'plugin' | 'name' | 'at', string>): Problem {
  const target = fastify.hasRequestDecorator(name) ? 'request' : fastify.hasDecorator(name) ? 'fastify' : 'reply'
  const rival = RIVALS.find(({ wants, isHere }) => wants.includes(name) && isHere(fastify))
  return {
    code: 'SVC_DECORATOR_TAKEN',
    message: `${plugin} and ${rival?.name ?? 'the application or another plugin'} both add ${target}.${name}`,
    at: `the plugin ${at}`,
    got: 'two decorators with the same name',
    expected: `${target}.${name} of ${plugin}`,
    fix: rival?.fix ?? `rename the other decorator, or remove it and use that of ${plugin}`,
    more: 'npx svc docs neighbours'
  }
}
