/** Loads the application to ask it something: it registers and may boot, but opens no port and logs nothing. */
import type { FastifyInstance } from 'fastify'
import type { Application } from 'svc-host'
import type { DeclaredRoute, ListedRoute } from 'svc-kernel/plugin'
import { assumeMode } from '../environment.ts'
import type { AppOptions } from '../options.ts'
import { type Host, importHost, importKernel, type Kernel } from './app-packages.ts'
import { findRoot } from './find-application.ts'
import { openModuleRunner } from './module-runner.ts'
import { noteRoutes } from './note-routes.ts'

export interface Inspection {
  readonly kernel: Kernel
  readonly host: Host
  readonly app: Application
  /** Every route declared so far, as it is now: hooks of the application may still change what a route declares. */
  routes(): ListedRoute[]
  /** The same as they were declared, with their schemas. */
  readonly declared: readonly DeclaredRoute[]
  /** Imports a source file, or gives what has run of it. */
  importModule(path: string): Promise<Record<string, unknown>>
  /** Registers every module; nothing is connected yet. @throws what a module throws */
  register(): Promise<FastifyInstance>
}

export interface InspectOptions {
  checkOnly?: boolean
  /** With `checkOnly`: its databases can be asked, to be migrated. */
  migrating?: boolean
  /** Is given each line that the application logs at level warn or above, as JSON. Default: nothing is logged. */
  onWarning?: ((line: string) => void) | undefined
}

/**
 * @param work is given the application; when it ends, everything is closed again
 * @param checkOnly its plugins are told to connect to nothing; not for work that asks a store or a voter
 */
export async function inspectApp<Result>(
  options: AppOptions,
  command: string,
  work: (inspection: Inspection) => Promise<Result>,
  { checkOnly = false, migrating = false, onWarning }: InspectOptions = {}
): Promise<Result> {
  const root = findRoot(options.root, command)
  process.chdir(root)
  assumeMode('development')
  const [kernel, host, runner] = await Promise.all([importKernel(root), importHost(root), openModuleRunner(root)])
  const opened: FastifyInstance[] = []
  try {
    const app = await runner.importApplication()
    await refuseUnreadable(app, kernel, host)
    const declared: DeclaredRoute[] = []
    const register = async (): Promise<FastifyInstance> => {
      const stopNoting = noteRoutes(declared)
      try {
        const fastify = await host.createServer(quiet(app, onWarning), {
          importModule: (path) => runner.importModule(path),
          checkOnly,
          migrating,
          command: true
        })
        opened.push(fastify)
        return fastify
      } finally {
        stopNoting()
      }
    }
    return await host.locateProblems(app, () =>
      work({
        kernel,
        host,
        app,
        routes: () => kernel.listRoutes(declared),
        declared,
        importModule: (path) => runner.importModule(path),
        register
      })
    )
  } finally {
    await Promise.all(opened.map((fastify) => fastify.close()))
    await runner.close()
  }
}

/** A list of modules that is none, or holds what is no plugin, leaves a command nothing to work on. */
async function refuseUnreadable({ config, configFile }: Application, { BootError }: Kernel, host: Host): Promise<void> {
  const { problems } = host.checkConfig(config, await host.readConfigText(configFile))
  const hasPlugins = Array.isArray(config.modules) && !problems.some(({ code }) => code === 'SVC_MODULE_INVALID')
  if (!hasPlugins) throw new BootError(problems)
}

/** The same application with its log off, or with its warnings in other hands. */
function quiet(app: Application, onWarning: InspectOptions['onWarning']): Application {
  const logger = onWarning === undefined ? (false as const) : { level: 'warn', stream: { write: onWarning } }
  const config = { ...app.config, server: { ...app.config.server, logger } }
  return Object.assign(() => Promise.resolve(), { config, root: app.root, configFile: app.configFile })
}
