/** The module that an application under fault keeps its data with. It alone is loaded: such applications start often. */
import type { ModuleEntry } from 'svc-host'

/** @param storage `sqlite:`, `postgres://` or `mongodb://` */
export async function storageDriver(storage: string): Promise<ModuleEntry> {
  if (storage.startsWith('mongodb:')) {
    const { default: svcDocdb } = await import('svc-docdb')
    return [svcDocdb, { connectors: { svc: { uri: storage } } }]
  }
  const { default: svcSqlorm } = await import('svc-sqlorm')
  return [svcSqlorm, { connectors: { default: { url: storage } } }]
}
