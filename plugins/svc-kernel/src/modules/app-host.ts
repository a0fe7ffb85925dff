/** What the application around the plugins is: its folder, its mode and how its files are imported. */
import { pathToFileURL } from 'node:url'
import type { FastifyInstance } from 'fastify'
import type { Mode } from './define-config.ts'

/** `fastify.appHost`: present when the module loader loaded the application. */
export interface AppHost {
  readonly name: string
  /** Absolute folder of the running entry: the source folder in development, the build in production. */
  readonly root: string
  readonly mode: Mode
  /** Imports one of the application's own files by absolute path. */
  importModule(path: string): Promise<Record<string, unknown>>
}

export function nativeImport(path: string): Promise<Record<string, unknown>> {
  return import(pathToFileURL(path).href) as Promise<Record<string, unknown>>
}

/** The host as the loader decorated it; without a loader, a production application in the working directory. */
export function appHost(fastify: FastifyInstance): AppHost {
  if (fastify.hasDecorator('appHost')) return fastify.appHost
  return { name: 'app', root: process.cwd(), mode: 'production', importModule: nativeImport }
}
