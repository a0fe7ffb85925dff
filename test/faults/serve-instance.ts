/** What the program of an instance ends with: an application of its modules on a free port, of which it tells its parent. */
import { flushCompileCache } from 'node:module'
import type { FastifyInstance } from 'fastify'
import { application, defineConfig, type ModuleEntry, serve } from 'svc-host'
import { portOf } from '../support/ports.ts'
import type { InstanceNews } from './instance-process.ts'

/** @param url of the program */
export async function serveInstance(url: string, modules: readonly ModuleEntry[]): Promise<FastifyInstance> {
  const server = { port: 0, host: '127.0.0.1', logger: { level: 'error' } }
  const config = defineConfig({ name: 'instance', mode: 'production', server, modules })
  const fastify = await serve(application(config, url))
  // Killed, it would leave nothing of what it compiled to the next.
  flushCompileCache()
  const news: InstanceNews = { port: portOf(fastify.server) }
  process.send?.(news)
  return fastify
}
