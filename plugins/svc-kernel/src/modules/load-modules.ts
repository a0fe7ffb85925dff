/**
 * The module loader: checks every module, then registers them in the order of
 * the list. Nothing is registered while anything is wrong.
 */
import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { installErrorHandlers } from '../http-errors/error-handlers.ts'
import { BootError } from '../problems/boot-error.ts'
import type { AppHost } from './app-host.ts'
import { nativeImport } from './app-host.ts'
import { type ConfigText, checkModules } from './check-modules.ts'
import type { SvcConfig } from './define-config.ts'

export interface LoadOptions {
  /** Absolute folder of the running entry. */
  root: string
  /** Absolute path of the config file, so that problems can name its lines. */
  configFile?: string | undefined
  /** How the application's own files are imported. Default: `import()`. */
  importModule?: AppHost['importModule'] | undefined
}

/** @throws BootError with every problem of the list; or what a plugin threw while it registered. */
export async function loadModules(fastify: FastifyInstance, config: SvcConfig, options: LoadOptions): Promise<void> {
  const { modules, problems } = checkModules(config.modules ?? [], await readConfigText(options.configFile))
  if (problems.length > 0) throw new BootError(problems)
  const mode = config.mode ?? 'production'
  const host: AppHost = Object.freeze({
    name: config.name ?? 'app',
    root: options.root,
    mode,
    importModule: options.importModule ?? nativeImport
  })
  fastify.decorate('appHost', host)
  installErrorHandlers(fastify, mode === 'production')
  for (const { plugin, options: given } of modules) {
    await fastify.register(plugin, given)
  }
}

async function readConfigText(path: string | undefined): Promise<ConfigText | undefined> {
  if (path === undefined) return undefined
  try {
    return { file: basename(path), text: await readFile(path, 'utf8') }
  } catch {
    return undefined
  }
}
