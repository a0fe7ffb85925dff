/** A folder of migrations beside a database in memory, asked with this or that version of its entities. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { BootError, Problem } from 'svc-kernel'
import type { Test } from 'tap'
import { compileEntities } from '../../src/entities/compile-entities.ts'
import type { CompiledEntity } from '../../src/entities/compiled-entity.ts'
import type { EntityDefinition } from '../../src/entities/entity-definition.ts'
import type { MigratedConnector } from '../../src/migrations/migration-port.ts'
import { Migrations } from '../../src/migrations/migrations.ts'
import { MemoryDriver } from './memory-driver.ts'

/** Below the package, as an application is: what a migration imports is found. */
const HERE = fileURLToPath(new URL('.', import.meta.url))

export const NOW = Date.parse('2026-01-02T03:04:05.678Z')

export function compiled(definitions: readonly EntityDefinition[]): readonly CompiledEntity[] {
  const { entities, problems } = compileEntities(
    definitions.map((definition) => ({ definition, place: null })),
    'memory'
  )
  if (problems.length > 0) throw new Error(problems.map(({ message }) => message).join())
  return entities
}

export function project(t: Test) {
  const folder = join(mkdtempSync(join(HERE, 'project-')), 'migrations')
  t.teardown(() => rmSync(join(folder, '..'), { recursive: true, force: true }))
  const driver = new MemoryDriver()
  /** @param more of the connector, such as its schema */
  const migrations = (entities: readonly EntityDefinition[], more: Partial<MigratedConnector> = {}) =>
    new Migrations({
      folder,
      clock: { now: () => NOW },
      connectors: () => [Object.assign(driver.connector(), more)],
      entities: () => compiled(entities)
    })
  const files = () => readdirSync(folder).sort()
  return { folder, driver, migrations, files }
}

/** Of what ends a command or a boot. */
export async function problemsOf(work: Promise<unknown>): Promise<readonly Problem[]> {
  return work.then(
    () => [],
    (error) => (error as BootError).problems
  )
}
