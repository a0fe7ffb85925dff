/**
 * svc-console: a browser console for administrators. It calls the public admin APIs of the other plugins over HTTP and
 * uses nothing else of them.
 *
 * Decorates  nothing
 * Hooks      none
 * Needs      nothing (svc-kernel is added when absent); without svc-security its pages answer 403
 */
import { fileURLToPath } from 'node:url'
import type { FastifyPluginAsync } from 'fastify'
import { definePlugin, ensureKernel, readOptions } from 'svc-kernel'
import { WebBuild } from 'svc-kernel/pages'
import { consoleRoutes } from './console.routes.ts'
import { ConsoleNotBuilt } from './errors.ts'
import { type ConsoleConfig, optionsSchema, type SvcConsoleOptions } from './options.ts'

const BUILT = fileURLToPath(new URL('../web/', import.meta.url))

const plugin: FastifyPluginAsync<SvcConsoleOptions> = async (fastify, given) => {
  await ensureKernel(fastify)
  const { path } = readOptions<ConsoleConfig>('svc-console', optionsSchema, given)
  const build = new WebBuild(BUILT, ConsoleNotBuilt)
  await fastify.register((scope) => consoleRoutes(scope, { build }), { prefix: path })
}

const svcConsole: FastifyPluginAsync<SvcConsoleOptions> = definePlugin(plugin, {
  name: 'svc-console',
  optionsSchema,
  after: ['svc-security']
})

export default svcConsole

export * from './errors.ts'
export type { SvcConsoleOptions } from './options.ts'
