/** The state of the process and of the application in it, read when it is asked for. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import type { FastifyInstance } from 'fastify'
import { appHost } from 'svc-kernel'
import { maskOptions } from 'svc-kernel/plugin'
import type { Readiness } from '../health/readiness.ts'
import type { QueueDepth, SystemHistory } from './system-history.ts'

export interface ShownModule {
  readonly name: string
  readonly version: string | null
  /** Without secrets. */
  readonly options: unknown
}

/** How an instance is told from the others: `name` is for people. */
export interface InstanceName {
  readonly id: string
  readonly name: string
}

export interface SystemViewParts {
  readonly readiness: Readiness
  readonly history: SystemHistory
  /** `null` where instances are not listed. */
  readonly instance: InstanceName | null
}

export class SystemView {
  readonly #fastify: FastifyInstance
  readonly #readiness: Readiness
  readonly #history: SystemHistory
  readonly #instance: InstanceName | null
  #modules: readonly ShownModule[] | null = null

  constructor(fastify: FastifyInstance, { readiness, history, instance }: SystemViewParts) {
    this.#fastify = fastify
    this.#readiness = readiness
    this.#history = history
    this.#instance = instance
  }

  async read() {
    const { name, mode } = appHost(this.#fastify)
    const { rss, heapUsed, heapTotal, external } = process.memoryUsage()
    const { user, system } = process.cpuUsage()
    return {
      name,
      mode,
      instance: this.#instance,
      pid: process.pid,
      versions: { node: process.versions.node, fastify: this.#fastify.version },
      startedAt: Math.round(performance.timeOrigin),
      uptimeS: Math.floor(process.uptime()),
      cpuS: { user: user / 1e6, system: system / 1e6 },
      memory: { rss, heapUsed, heapTotal, external },
      eventLoop: this.#history.latest().eventLoop,
      health: await this.#readiness.outcomes(),
      queues: queuesOf(this.#fastify),
      modules: this.modules(),
      logLevel: logLevelOf(this.#fastify)
    }
  }

  /** What the application lists; empty where no host loaded it. */
  modules(): readonly ShownModule[] {
    const { root, modules = [] } = appHost(this.#fastify)
    this.#modules ??= modules.map(({ name, options }) => ({
      name,
      version: versionOf(root, name),
      options: maskOptions(options)
    }))
    return this.#modules
  }
}

/** One that cannot be read is left out: who looks at it must not end the process. */
export function queuesOf({ queueDepths }: FastifyInstance): QueueDepth[] {
  return [...queueDepths.entries()].flatMap(([name, depth]) => {
    try {
      return [{ name, depth: depth() }]
    } catch {
      return []
    }
  })
}

/** `null` where the logger has none. */
export function logLevelOf({ log }: FastifyInstance): string | null {
  const { level } = log as { level?: unknown }
  return typeof level === 'string' && level !== '' ? level : null
}

/** As the application's own folder resolves it; `null` for a module that is no package. */
function versionOf(root: string, name: string): string | null {
  try {
    const file = createRequire(join(root, 'package.json')).resolve(`${name}/package.json`)
    const { version } = JSON.parse(readFileSync(file, 'utf8')) as { version?: unknown }
    return typeof version === 'string' ? version : null
  } catch {
    return null
  }
}
