/** The database of this application: documents or SQL, as its address says. */
import svcDocdb from 'svc-docdb'
import type { ModuleEntry } from 'svc-kernel'
import svcSqlorm from 'svc-sqlorm'

const EMBEDDED = 'embedded:'

/** @param url `embedded:<file>`, `embedded:` (in memory), `mongodb://...`, `sqlite:<path>` or `postgres://...` */
export function database(url: string): ModuleEntry {
  if (url.startsWith(EMBEDDED)) {
    const file = url.slice(EMBEDDED.length)
    return [svcDocdb, { connectors: { svc: { embedded: true, ...(file === '' ? {} : { file }) } } }]
  }
  if (/^mongodb(\+srv)?:/.test(url)) return [svcDocdb, { connectors: { svc: { uri: url } } }]
  return [svcSqlorm, { connectors: { default: { url } } }]
}
