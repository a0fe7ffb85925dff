/** The modules that an application lists, as its config says when it is loaded. Nothing is registered. */
import { readFile } from 'node:fs/promises'
import type { AppOptions } from '../options.ts'
import { findRoot } from './find-application.ts'
import { type Inspection, inspectApp } from './inspect-app.ts'

export interface ConfigModule {
  /** The plugin's own: `svc-sqlorm`. */
  readonly name: string
  readonly options: Readonly<Record<string, unknown>>
  /** Plugins that come before it where they are listed. */
  readonly after: readonly string[]
}

export interface AppConfig {
  readonly root: string
  /** Absolute path of the config file, and its text. */
  readonly file: string
  readonly text: string
  readonly name: string
  readonly modules: readonly ConfigModule[]
}

export async function readAppConfig(options: AppOptions, command: string): Promise<AppConfig> {
  const root = findRoot(options.root, command)
  return inspectApp(options, command, async ({ app, kernel }) => {
    const file = app.configFile ?? `${root}/svc.config.ts`
    return {
      root,
      file,
      text: await readFile(file, 'utf8'),
      name: app.config.name ?? 'app',
      modules: app.config.modules.map((entry) => describe(kernel, entry))
    }
  })
}

function describe(kernel: Inspection['kernel'], entry: unknown): ConfigModule {
  const [plugin, options = {}] = Array.isArray(entry) ? (entry as unknown[]) : [entry]
  const { name, before } = kernel.pluginMeta(plugin)
  return { name, options: options as ConfigModule['options'], after: before }
}
