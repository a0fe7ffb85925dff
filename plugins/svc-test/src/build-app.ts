/** An application for one test: its own modules, no port, ready for requests; its builder closes it. */
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { FastifyInstance } from 'fastify'
import { type Application, application, createServer, type ModuleEntry, type SvcConfig } from 'svc-host'
import type { Mode } from 'svc-kernel'
import { pluginMeta } from 'svc-kernel/plugin'
import { ActingAuthenticator, keepActing } from './acting/acting-as.ts'
import { admitActing, type SecurityOptions } from './acting/admit-acting.ts'
import { NoApplication } from './errors.ts'

/** How a test builds the application. */
export interface BuildOptions {
  /** Default `test`. */
  readonly mode?: Mode
}

/** Where an entry lies: compiled beside the sources, or in the folder itself. */
const ENTRIES = ['dist/app.js', 'app.js', 'app.ts'] as const

/**
 * Builds the application whose entry lies in a folder, as `svc create app` lays it down.
 *
 * @param dir folder of the application, or of its compiled entry
 * @throws NoApplication where there is none, BootError for what is wrong with its config
 */
export async function buildApp(dir: string, { mode = 'test' }: BuildOptions = {}): Promise<FastifyInstance> {
  const entry = await entryIn(resolve(dir))
  const acting = new ActingAuthenticator()
  const { config } = entry.application
  const modules = testModules(config.modules, acting)
  const fastify = await createServer(application({ ...config, mode, modules }, pathToFileURL(entry.path).href))
  if (modules !== config.modules) keepActing(fastify, acting)
  try {
    await fastify.ready()
  } catch (error) {
    await fastify.close()
    throw error
  }
  return fastify
}

interface Entry {
  readonly path: string
  readonly application: { readonly config: SvcConfig }
}

async function entryIn(dir: string): Promise<Entry> {
  const path = ENTRIES.map((name) => join(dir, name)).find((name) => existsSync(name))
  if (path === undefined) throw new NoApplication(dir, ENTRIES.join(', '))
  const { default: found } = (await import(pathToFileURL(path).href)) as { default?: Partial<Application> }
  if (found?.config === undefined) throw new NoApplication(dir, path)
  return { path, application: { config: found.config } }
}

/** The modules of an application as a test loads them: the same list where none of them is svc-security. Pure. */
export function testModules(modules: readonly ModuleEntry[], acting: ActingAuthenticator): readonly ModuleEntry[] {
  const isSecurity = (entry: ModuleEntry): boolean => {
    return pluginMeta(typeof entry === 'function' ? entry : entry[0]).name === 'svc-security'
  }
  if (!modules.some(isSecurity)) return modules
  return modules.map((entry): ModuleEntry => {
    if (!isSecurity(entry)) return entry
    const [plugin, options = {}] = typeof entry === 'function' ? [entry] : entry
    return [plugin, admitActing(options as SecurityOptions, acting)]
  })
}
