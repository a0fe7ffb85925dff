/** Makes a svc plugin: a fastify-plugin whose options schema the module loader can read before it registers anything. */

import type { FastifyPluginAsync, FastifyPluginOptions } from 'fastify'
import fp from 'fastify-plugin'
import type { OptionsSchema } from '../options/schema-compiler.ts'

const optionsSchema = Symbol.for('svc.options-schema')

export interface PluginMeta {
  /** Folder, npm and fastify-plugin name in one. */
  readonly name: string
  readonly optionsSchema: OptionsSchema
  /** Plugins that must be registered before this one. */
  readonly dependencies?: readonly string[]
  /** Plugins that, where an application lists them, must come before this one. */
  readonly after?: readonly string[]
}

export function definePlugin<Options extends FastifyPluginOptions>(
  plugin: FastifyPluginAsync<Options>,
  meta: PluginMeta
): FastifyPluginAsync<Options> {
  const defined = fp(plugin, {
    name: meta.name,
    fastify: '5.x',
    dependencies: [...(meta.dependencies ?? [])]
  }) as FastifyPluginAsync<Options>
  Object.defineProperty(defined, optionsSchema, { value: meta })
  return defined
}

/** What `definePlugin` was told, or what fastify-plugin knows of a foreign plugin. */
export function pluginMeta(plugin: unknown): {
  name: string
  optionsSchema?: OptionsSchema
  before: readonly string[]
  required: readonly string[]
} {
  const own = (plugin as { [optionsSchema]?: PluginMeta })[optionsSchema]
  if (own !== undefined) {
    const required = own.dependencies ?? []
    return { name: own.name, optionsSchema: own.optionsSchema, required, before: [...required, ...(own.after ?? [])] }
  }
  const foreign = (plugin as Record<symbol, { name?: string; dependencies?: string[] } | undefined>)[
    Symbol.for('plugin-meta')
  ]
  const name = foreign?.name ?? (plugin as { name?: string }).name
  const required = foreign?.dependencies ?? []
  return { name: name || 'anonymous plugin', required, before: required }
}
