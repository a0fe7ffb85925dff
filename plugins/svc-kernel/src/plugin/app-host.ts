/** What the application around the plugins is: its folder, its mode and how its files are imported. */
import { pathToFileURL } from 'node:url'
import type { FastifyInstance } from 'fastify'
import { BootError } from '../problems/boot-error.ts'
import { placeOf, readablePath } from '../problems/place-of.ts'

/** Development shows causes and readable logs; production hides them; test is silent. */
export type Mode = 'development' | 'production' | 'test'

/**
 * What an application runs as whose config does not say: the one place beside an application's own catalogue that reads
 * `NODE_ENV`. Whatever is not development or test is production.
 */
export function runningMode(): Mode {
  const { NODE_ENV } = process.env
  return NODE_ENV === 'development' || NODE_ENV === 'test' ? NODE_ENV : 'production'
}

/** `fastify.appHost`: present when the module loader loaded the application. */
export interface AppHost {
  readonly name: string
  /** Absolute folder of the running entry: the source folder in development, the build in production. */
  readonly root: string
  readonly mode: Mode
  /**
   * True where the application boots only to be checked (`svc config:check`): a plugin still
   * validates all it can and throws what it finds, but connects to nothing outside the process.
   */
  readonly checkOnly: boolean
  /**
   * True where the application boots for one command, such as `svc user:create`: a server of it may be running, and
   * what that server holds for itself is shared, not opened.
   */
  readonly command?: boolean
  /**
   * True, with `checkOnly`, where the application boots to have its databases migrated: they can be asked, and the boot
   * itself opens none and makes nothing in them.
   */
  readonly migrating?: boolean
  /** True where jobs run only when they are asked to, as in a test: `fastify.jobs.drain()`. */
  readonly manualJobs?: boolean
  /** What the application lists, in this order, with the options as they were given: they hold secrets, see `maskOptions`. */
  readonly modules?: readonly { readonly name: string; readonly options: unknown }[]
  /** Imports one of the application's own files by absolute path. */
  importModule(path: string): Promise<Record<string, unknown>>
}

/** @throws what the file throws; BootError where it does not compile, as Node keeps the place of that to itself */
export async function nativeImport(path: string): Promise<Record<string, unknown>> {
  try {
    return (await import(pathToFileURL(path).href)) as Record<string, unknown>
  } catch (error) {
    if (!(error instanceof SyntaxError) || placeOf(error) !== undefined) throw error
    const message = `the file, or one it imports, does not compile: ${error.message}`
    throw new BootError(
      [
        {
          code: 'SVC_SOURCE_SYNTAX',
          message,
          at: readablePath(path),
          fix: `node --check ${readablePath(path)} shows the line`
        }
      ],
      { cause: error }
    )
  }
}

/** The host as the loader decorated it; without a loader, an application in the working directory. */
export function appHost(fastify: FastifyInstance): AppHost {
  if (fastify.hasDecorator('appHost')) return fastify.appHost
  return { name: 'app', root: process.cwd(), mode: runningMode(), checkOnly: false, importModule: nativeImport }
}

/** Whether an application runs in production: the one place that says so, with the loader and without. */
export function inProduction(fastify: FastifyInstance): boolean {
  return appHost(fastify).mode === 'production'
}
