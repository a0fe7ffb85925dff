/** A written migration whose marks are filled in as it runs. */
import type { MigratedColumn, Migration, MigrationContext } from '../migrations/migration.ts'
import { loadedMigration } from './loaded-migration.ts'
import { MODEL_ZONE } from './migration-model.ts'

/** What a person gives, who sees the column. */
type Fill = (column: MigratedColumn) => unknown

/** The text as a program, whose marks are filled in as it runs. */
export function filledMigration(source: string, fill: Fill): Migration {
  const written = loadedMigration(source)
  return {
    up: (m) => written.up(filledIn(m, fill)),
    down: async (m) => written.down?.(filledIn(m, fill))
  }
}

function filledIn(m: MigrationContext, fill: Fill): MigrationContext {
  const steps: Partial<MigrationContext> = {
    addColumn: (entity, column, data) => m.addColumn(entity, column, decided(data, column, fill)),
    changeColumn: (entity, from, to, data) => m.changeColumn(entity, from, to, decided(data, to, fill))
  }
  return new Proxy(m, {
    get(context, name) {
      const step: unknown = Reflect.get(steps, name) ?? Reflect.get(context, name, context)
      return typeof step === 'function' ? step.bind(context) : step
    }
  })
}

/** A value for each key that the text leaves to a person. */
function decided<Data extends object>(data: Data | undefined, to: MigratedColumn, fill: Fill): Data {
  const value = fill(to)
  const answers = { fill: value, convert: () => value, zone: MODEL_ZONE }
  const keys = Object.keys(data ?? {}) as (keyof typeof answers)[]
  return Object.fromEntries(keys.map((key) => [key, answers[key]])) as Data
}
