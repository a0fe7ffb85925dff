/** An application's entry: a Fastify plugin for any runner, which also knows its config and its folder. */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import type { SvcConfig } from '../config/define-config.ts'
import { loadModules } from './load-modules.ts'

/** What an entry file exports: register it, or hand it to `createServer` or `serve`. */
export interface Application {
  (fastify: FastifyInstance): Promise<void>
  readonly config: SvcConfig
  /** Absolute folder of the entry file. */
  readonly root: string
  /** Absolute path of the config file beside the entry, where there is one. */
  readonly configFile: string | undefined
}

/**
 * Makes the entry of an application from its config.
 *
 * @param entryUrl `import.meta.url` of the entry file
 */
export function application(config: SvcConfig, entryUrl: string): Application {
  const root = dirname(fileURLToPath(entryUrl))
  const configFile = ['svc.config.ts', 'svc.config.js'].map((name) => join(root, name)).find((path) => existsSync(path))
  const named: SvcConfig = { ...config, name: config?.name ?? packageName(root) ?? 'app' }
  const plugin = fp(
    // Both parameters are declared, as fastify-cli refuses an asynchronous plugin that takes one.
    async (fastify: FastifyInstance, _options: object) => {
      await loadModules(fastify, named, { root, configFile })
    },
    { fastify: '5.x', name: 'svc-application' }
  )
  return Object.assign(plugin, { config: named, root, configFile }) as unknown as Application
}

/** The nearest package.json names the application; a build folder has none of its own. */
function packageName(folder: string): string | undefined {
  for (let current = folder; ; current = dirname(current)) {
    try {
      const { name } = JSON.parse(readFileSync(join(current, 'package.json'), 'utf8')) as { name?: string }
      if (name !== undefined) return name
    } catch {
      // No package.json here; the one above names the application.
    }
    if (dirname(current) === current) return undefined
  }
}
