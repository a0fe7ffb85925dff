/**
 * Preloaded into a measured process, whatever it runs: notes when a Fastify was made, was ready, listened and had
 * answered once, with the CPU time until then; writes that to descriptor 3 and ends the process. Given `loads`, it notes
 * every module that is loaded instead, which takes time of its own.
 */
import { subscribe } from 'node:diagnostics_channel'
import { writeSync } from 'node:fs'
import { registerHooks } from 'node:module'
import type { FastifyInstance } from 'fastify'

/** CPU time of the process so far, in milliseconds. */
type Moment = 'preload' | 'made' | 'ready' | 'listening' | 'answered'

export interface StartNote {
  readonly cpu: Readonly<Record<Moment, number>>
  /** Resident size after the first answer, in MiB. */
  readonly resident: number
  readonly routes: number
  /** URLs of the modules that were loaded; empty unless they were asked for. */
  readonly loads: readonly string[]
}

const cpu: Partial<Record<Moment, number>> = {}
const loads: string[] = []
let routes = 0

function note(moment: Moment): void {
  const { user, system } = process.cpuUsage()
  cpu[moment] ??= (user + system) / 1000
}

if (process.env.BENCH_START === 'loads') {
  registerHooks({
    load(url, context, next) {
      if (!url.startsWith('node:')) loads.push(url)
      return next(url, context)
    }
  })
}

note('preload')

subscribe('fastify.initialization', (message) => {
  const { fastify } = message as { fastify: FastifyInstance }
  note('made')
  fastify.addHook('onRoute', ({ method }) => {
    // Fastify adds one of its own to each GET.
    if (method !== 'HEAD') routes += 1
  })
  fastify.addHook('onReady', async () => note('ready'))
  fastify.addHook('onListen', async () => note('listening'))
})

subscribe('http.server.response.finish', () => {
  note('answered')
  const resident = process.memoryUsage.rss() / 2 ** 20
  writeSync(3, JSON.stringify({ cpu, resident, routes, loads }))
  process.exit(0)
})
