/** Where this application keeps its data: SQLite, or PostgreSQL. */
import type { ModuleEntry } from 'svc-host'
import svcSqlorm from 'svc-sqlorm'

/** @param url `sqlite:<path>`, `sqlite::memory:` or `postgres://...` */
export function database(url: string): ModuleEntry {
  return [svcSqlorm, { connectors: { default: { url } } }]
}
