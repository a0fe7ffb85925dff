/** The text that `orm:diff` writes, as the migration that its file is. */
import type { Migration } from '../migrations/migration.ts'

export function loadedMigration(source: string): Migration {
  const text = source.replace(/^import .*$/m, '').replace('export default', 'return')
  return new Function('defineMigration', text)((given: Migration) => given) as Migration
}
