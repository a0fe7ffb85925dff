/** Where a connector connects to: the environment's address, else its own, else host and port. Pure. */
import { maskTarget } from 'svc-stores/table'
import type { ConnectorConfig } from '../options.ts'

export interface ConnectionTarget {
  /** Names its database. */
  readonly uri: string
  readonly database: string
  /** `uri` without credentials. */
  readonly shown: string
  readonly selectionTimeoutMs: number
  readonly maxPoolSize: number
}

const URI = /^(mongodb(?:\+srv)?:\/\/)([^/?]+)(?:\/([^?]*))?(?:\?(.*))?$/s

/** @param uri of the environment or of an embedded engine; it wins */
export function connectionTarget(config: ConnectorConfig, uri: string | null): ConnectionTarget {
  const { selectionTimeoutMs, maxPoolSize } = config
  const given = uri ?? config.uri ?? `mongodb://${hostText(config.host)}:${config.port}/${config.database}`
  const { uri: whole, database } = withDatabase(given, config.database)
  return { uri: whole, database, shown: maskTarget(whole), selectionTimeoutMs, maxPoolSize }
}

/**
 * Names the database in an address that does not. Credentials without `authSource` are then still looked up in
 * `admin`, where the driver looks when no database is named.
 */
function withDatabase(uri: string, fallback: string): { uri: string; database: string } {
  const [, scheme = '', hosts = '', named = '', query = ''] = URI.exec(uri) ?? []
  if (scheme === '') return { uri, database: fallback }
  if (named !== '') return { uri, database: decodeURIComponent(named) }
  const asksElsewhere = !hosts.includes('@') || /(?:^|&)auth(?:Source|Mechanism)=/i.test(query)
  const options = [query, asksElsewhere ? '' : 'authSource=admin'].filter((part) => part !== '').join('&')
  return { uri: `${scheme}${hosts}/${fallback}${options === '' ? '' : `?${options}`}`, database: fallback }
}

/** An IPv6 address is in brackets. */
function hostText(host: string): string {
  return host.includes(':') && !host.startsWith('[') ? `[${host}]` : host
}
