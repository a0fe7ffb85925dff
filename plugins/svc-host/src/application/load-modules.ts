/**
 * The module loader: checks the config and every module, then registers them in
 * the order of the list. Nothing is registered while anything is wrong.
 */
import type { FastifyInstance } from 'fastify'
import { type AppHost, BootError } from 'svc-kernel'
import { installErrorHandler, installNotFoundHandler, nativeImport, runningMode } from 'svc-kernel/host'
import { checkConfig } from '../config/check-config.ts'
import type { CheckedModule } from '../config/check-modules.ts'
import type { SvcConfig } from '../config/define-config.ts'
import { readConfigText } from '../config/locate-problems.ts'

/** Where the modules of an application are loaded from, and for what. */
export interface LoadOptions {
  /** Absolute folder of the running entry. */
  root: string
  /** Absolute path of the config file, so that problems can name its lines. */
  configFile?: string | undefined
  /** How the application's own files are imported. Default: `import()`. */
  importModule?: AppHost['importModule'] | undefined
  /** Whether the application boots only to be checked. Default: false. */
  checkOnly?: boolean | undefined
  /** Whether the application boots for one command, beside a server that may be running. Default: false. */
  command?: boolean | undefined
  /** With `checkOnly`: its databases are to be migrated. Default: false. */
  migrating?: boolean | undefined
  /** Whether jobs run only when they are asked to. Default: false. */
  manualJobs?: boolean | undefined
}

/**
 * Checks a config and registers its modules, the application's host, and its error and 404 answers.
 *
 * @throws BootError with every problem of the config; or what a plugin threw while it registered.
 */
export async function loadModules(fastify: FastifyInstance, config: SvcConfig, options: LoadOptions): Promise<void> {
  await registerModules(fastify, config, await checkedModules(config, options.configFile), options)
}

/** @throws BootError with every problem of the config */
export async function checkedModules(config: SvcConfig, configFile?: string): Promise<readonly CheckedModule[]> {
  const { modules, problems } = checkConfig(config, await readConfigText(configFile))
  if (problems.length > 0) throw new BootError(problems)
  return modules
}

/** Registers modules that were checked. */
export async function registerModules(
  fastify: FastifyInstance,
  config: SvcConfig,
  modules: readonly CheckedModule[],
  {
    root,
    importModule = nativeImport,
    checkOnly = false,
    command = false,
    migrating = false,
    manualJobs = false
  }: LoadOptions
): Promise<void> {
  const mode = config.mode ?? runningMode()
  const host: AppHost = Object.freeze({
    name: config.name ?? 'app',
    root,
    mode,
    checkOnly,
    importModule,
    modules: modules.map(({ name, options }) => ({ name, options })),
    ...(command ? { command } : {}),
    ...(migrating ? { migrating } : {}),
    ...(manualJobs ? { manualJobs } : {})
  })
  fastify.decorate('appHost', host)
  installErrorHandler(fastify, mode === 'production')
  for (const { plugin, options } of modules) {
    await fastify.register(plugin, options)
  }
  installNotFoundHandler(fastify, mode === 'production')
}
