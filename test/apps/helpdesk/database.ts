/** Where this application keeps its data. */
import svcDocdb from 'svc-docdb'
import type { ModuleEntry } from 'svc-host'
import svcSqlorm from 'svc-sqlorm'

export function database(url: string): ModuleEntry {
  if (url.startsWith('mongodb')) return [svcDocdb, { connectors: { svc: { uri: url } } }]
  return [svcSqlorm, { connectors: { default: { url } } }]
}
