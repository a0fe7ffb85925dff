/** The database of this application: documents or SQL, as its address says. Only the package that it needs is loaded. */
import type { ModuleEntry } from 'svc-host'

const EMBEDDED = 'embedded:'

function isDocuments(url: string): boolean {
  return url.startsWith(EMBEDDED) || /^mongodb(\+srv)?:/.test(url)
}

/** @param url `embedded:<file>`, `embedded:` (in memory), `mongodb://...`, `sqlite:<path>` or `postgres://...` */
export async function database(url: string): Promise<ModuleEntry> {
  if (url.startsWith(EMBEDDED)) {
    const file = url.slice(EMBEDDED.length)
    return documents({ embedded: true, ...(file === '' ? {} : { file }) })
  }
  if (isDocuments(url)) return documents({ uri: url })
  const { default: svcSqlorm } = await import('svc-sqlorm')
  return [svcSqlorm, { connectors: { default: { url } } }]
}

async function documents(connector: { uri: string } | { embedded: true; file?: string }): Promise<ModuleEntry> {
  const { default: svcDocdb } = await import('svc-docdb')
  return [svcDocdb, { connectors: { svc: connector } }]
}

/** Controllers over entities that only documents can keep, in `documents/`; none on SQL. */
export async function documentControllers(url: string) {
  return isDocuments(url) ? [(await import('./documents/bookmarks.ts')).BookmarksController] : []
}
