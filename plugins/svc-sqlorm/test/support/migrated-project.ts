/** An application with a folder of migrations, booted with this or that version of its entities. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import Fastify from 'fastify'
import type { BootError, Problem } from 'svc-kernel'
import svcOrm, { type EntityDefinition } from 'svc-orm'
import type { Test } from 'tap'
import svcSqlorm from '../../src/index.ts'
import { CapturedLog } from './captured-log.ts'

/** Below the packages, as an application is: what a migration imports is found. */
const HERE = fileURLToPath(new URL('.', import.meta.url))

export interface Setting {
  readonly run?: 'boot'
  readonly mode?: 'production' | 'development'
  /** The database is opened, as when the application serves; else as the commands look at it. */
  readonly opened?: boolean
  readonly pluginTimeout?: number
  readonly log?: CapturedLog
}

/** @param given of the database; default: a SQLite file of the project */
export function project(t: Test, given?: string) {
  const root = mkdtempSync(join(HERE, 'project-'))
  t.teardown(() => rmSync(root, { recursive: true, force: true }))
  const folder = join(root, 'migrations')
  const url = given ?? `sqlite:${root}/app.db`
  const app = async (
    entities: readonly EntityDefinition[],
    { run, mode = 'development', opened = false, pluginTimeout, log = new CapturedLog() }: Setting = {}
  ) => {
    const fastify = Fastify({ logger: log.logger, ...(pluginTimeout !== undefined && { pluginTimeout }) })
    t.teardown(() => fastify.close())
    const importModule = async () => ({})
    fastify.decorate('appHost', { name: 'a', root, mode, checkOnly: !opened, migrating: !opened, importModule })
    await fastify.register(svcOrm, { ...(run && { migrations: { run } }), parts: { entities } })
    await fastify.register(svcSqlorm, { connectors: { default: { url } } })
    await fastify.ready()
    return { fastify, log, orm: fastify.orm, migrations: fastify.orm.migrations }
  }
  const files = () => readdirSync(folder).filter((name) => name.endsWith('.ts'))
  return { root, folder, url, app, files }
}

export async function problemsOf(work: Promise<unknown>): Promise<readonly Problem[]> {
  return work.then(
    () => [],
    (error) => (error as BootError).problems
  )
}
