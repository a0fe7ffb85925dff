/** Where this application keeps its data: MongoDB, or its embedded engine, which production refuses. */
import svcDocdb from 'svc-docdb'
import type { ModuleEntry } from 'svc-host'

const EMBEDDED = 'embedded:'

/** @param url `embedded:<file>`, `embedded:` (in memory) or `mongodb://...` */
export function database(url: string): ModuleEntry {
  return [svcDocdb, { connectors: { svc: url.startsWith(EMBEDDED) ? embedded(url) : { uri: url } } }]
}

function embedded(url: string): { embedded: true; file?: string } {
  const file = url.slice(EMBEDDED.length)
  return { embedded: true, ...(file === '' ? {} : { file }) }
}
