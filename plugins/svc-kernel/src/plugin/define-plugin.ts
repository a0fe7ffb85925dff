/** Makes a svc plugin: a fastify-plugin whose options schema the module loader can read before it registers anything. */
import type { FastifyInstance, FastifyPluginAsync, FastifyPluginOptions } from 'fastify'
import fp from 'fastify-plugin'
import type { OptionsSchema } from '../options/schema-compiler.ts'
import { BootError } from '../problems/boot-error.ts'
import { explainTaken } from './decorator-clash.ts'

const ownMeta = Symbol.for('svc.plugin-meta')
const foreignMeta = Symbol.for('plugin-meta')

/** What a svc plugin says about itself. */
export interface PluginMeta {
  /** Folder, npm and fastify-plugin name in one. */
  readonly name: string
  /** Left out by a plugin without options, or one that checks them itself. */
  readonly optionsSchema?: OptionsSchema
  /** Plugins that must be registered before this one. */
  readonly dependencies?: readonly string[]
  /** Plugins that, where an application lists them, must come before this one. */
  readonly after?: readonly string[]
  /** Options, besides `parts`, that hold live objects and that the plugin checks itself. */
  readonly liveOptions?: readonly string[]
  /** May be registered more than once on one server; a second registration adds to the first. */
  readonly repeatable?: boolean
}

/** What the module loader knows of any plugin. */
export interface KnownPlugin {
  readonly name: string
  /** Absent on a foreign plugin: it checks its options itself. */
  readonly optionsSchema?: OptionsSchema
  /** Plugins that must be listed. */
  readonly required: readonly string[]
  /** Plugins that come first where they are listed; the required ones among them. */
  readonly before: readonly string[]
  /** Options that are no data and that the plugin checks itself. */
  readonly liveOptions: readonly string[]
}

/** Every svc plugin's default export goes through this: `fp` for Fastify 5, with its schema attached. */
export function definePlugin<Options extends FastifyPluginOptions>(
  plugin: FastifyPluginAsync<Options>,
  meta: PluginMeta
): FastifyPluginAsync<Options> {
  const once: FastifyPluginAsync<Options> = async (fastify, options) => {
    if (meta.repeatable !== true) noteRegistration(fastify, meta.name)
    try {
      await plugin(fastify, options)
    } catch (error) {
      throw explainTaken(fastify, meta.name, error)
    }
  }
  const defined = fp(once, {
    name: meta.name,
    fastify: '5.x',
    dependencies: [...(meta.dependencies ?? [])]
  }) as FastifyPluginAsync<Options>
  Object.defineProperty(defined, ownMeta, { value: meta })
  return defined
}

/** @throws BootError SVC_MODULE_DUPLICATE where the instance, or one it was made of, has the plugin already */
function noteRegistration(fastify: FastifyInstance, name: string): void {
  const noted = Symbol.for(`svc.registered.${name}`)
  if (!(noted in fastify)) {
    Object.defineProperty(fastify, noted, { value: true })
    return
  }
  throw new BootError([
    {
      code: 'SVC_MODULE_DUPLICATE',
      message: `${name} is registered twice on one server`,
      at: name,
      got: 'a second registration',
      expected: 'one registration, with all options',
      fix: `remove one fastify.register(...) of ${name}`,
      more: 'npx svc docs configuration'
    }
  ])
}

/** What was passed to `definePlugin`, or what fastify-plugin knows of a foreign plugin. */
export function pluginMeta(plugin: unknown): KnownPlugin {
  const own = (plugin as { [ownMeta]?: PluginMeta })[ownMeta]
  if (own !== undefined) {
    const { name, optionsSchema, dependencies: required = [], after = [], liveOptions = [] } = own
    const schema = optionsSchema === undefined ? {} : { optionsSchema }
    return { name, ...schema, required, before: [...required, ...after], liveOptions }
  }
  const foreign = (plugin as { [foreignMeta]?: { name?: string; dependencies?: readonly string[] } })[foreignMeta]
  const required = foreign?.dependencies ?? []
  const name = foreign?.name || (plugin as { name?: string }).name || 'anonymous plugin'
  return { name, required, before: required, liveOptions: [] }
}
