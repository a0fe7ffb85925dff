/** An application for one test: its own modules, no port, ready for requests; its builder closes it. */
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { FastifyInstance } from 'fastify'
import { type Application, application, createServer, type SvcConfig } from 'svc-host'
import type { Mode } from 'svc-kernel'
import type { ManualClock } from 'svc-stores/conformance'
import { ActingAuthenticator, keepActing } from './acting/acting-as.ts'
import { keepClock } from './background/test-jobs.ts'
import { acceptJobs } from './callers/job-door.ts'
import { NoApplication } from './errors.ts'
import { hasSecurity, testModules } from './test-modules.ts'

/** How a test builds the application. */
export interface BuildOptions {
  /** Default `test`. */
  readonly mode?: Mode
  /** The time of all svc plugins but drivers and svc-ops. Default: the clock of the machine. */
  readonly clock?: ManualClock
}

/** Where an entry lies: compiled beside the sources, or in the folder itself. */
const ENTRIES = ['dist/app.js', 'app.js', 'app.ts'] as const

/**
 * Builds the application whose entry lies in a folder, as `svc create app` lays it down. Its jobs run when the test says
 * so, see `jobsOf`; its mails stay in the outbox, but for those of mode `production`.
 *
 * @param dir folder of the application, or of its compiled entry
 * @throws NoApplication where there is none, BootError for what is wrong with its config
 */
export async function buildApp(dir: string, { mode = 'test', clock }: BuildOptions = {}): Promise<FastifyInstance> {
  const entry = await entryIn(resolve(dir))
  const acting = new ActingAuthenticator()
  const { config } = entry.application
  const modules = [...testModules(config.modules, { mode, acting, clock }), acceptJobs]
  const built = application({ ...config, mode, modules }, pathToFileURL(entry.path).href)
  const fastify = await createServer(built, { manualJobs: true })
  if (hasSecurity(config.modules)) keepActing(fastify, acting)
  keepClock(fastify, clock)
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
