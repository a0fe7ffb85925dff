/** Loads the application to ask it something: it registers and boots, but opens no port. */
import type { FastifyInstance } from 'fastify'
import type { Application } from 'svc-kernel'
import { assumeMode } from '../environment.ts'
import type { AppOptions } from '../options.ts'
import { importKernel, type Kernel } from './app-packages.ts'
import { type CommandNames, findRoot } from './find-root.ts'
import { openModuleRunner } from './module-runner.ts'

export interface Inspection {
  readonly kernel: Kernel
  readonly root: string
  readonly app: Application
  /** Registers every module. @throws what a module throws */
  register(): Promise<FastifyInstance>
}

/**
 * @param work is given the application; when it ends, everything is closed again
 */
export async function inspectApp<Result>(
  options: AppOptions,
  names: CommandNames,
  work: (inspection: Inspection) => Promise<Result>
): Promise<Result> {
  const root = findRoot(options.root, names)
  process.chdir(root)
  assumeMode('development')
  const [kernel, runner] = await Promise.all([importKernel(root), openModuleRunner(root)])
  const opened: FastifyInstance[] = []
  try {
    const app = await runner.importApplication()
    return await work({
      kernel,
      root,
      app,
      async register() {
        const silent: Application = Object.assign(() => Promise.resolve(), app, {
          config: { ...app.config, server: { ...app.config.server, logger: false as const } }
        })
        const fastify = await kernel.createServer(silent, { importModule: (path) => runner.importModule(path) })
        opened.push(fastify)
        return fastify
      }
    })
  } finally {
    await Promise.all(opened.map((fastify) => fastify.close()))
    await runner.close()
  }
}
