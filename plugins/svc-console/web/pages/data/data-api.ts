/** The admin plane of svc-orm. */
import { call, withQuery } from '../../app/api.ts'
import type { ListPage } from '../../app/list.ts'

export interface Column {
  readonly name: string
  /** Where the database has another name for it. */
  readonly storedAs?: string
  /** `string[]` of a list. */
  readonly type: string
  readonly primaryKey: boolean
  readonly nullable: boolean
  readonly unique: boolean
  readonly managed: boolean
  readonly hidden?: boolean
  readonly default?: unknown
  readonly maxLength?: number
  readonly scale?: number
  readonly values?: readonly string[]
  readonly check?: object
}

export interface Relation {
  readonly type: string
  readonly target: string
  readonly field: string
  /** Of this entity, or `Target.field`. */
  readonly foreignKey: string
}

/** Of another entity, or its own, to this one. */
export interface Reference {
  readonly entity: string
  readonly type: string
  readonly field: string
  readonly foreignKey: string
}

export interface Entity {
  readonly name: string
  readonly connector: string
  readonly module: string | null
  readonly storedAs: string
  /** The table is somebody else's. */
  readonly existing: boolean
  readonly readOnly: boolean
  readonly timestamps: boolean
  readonly softDelete: boolean
  readonly version: boolean
  readonly columns: readonly Column[]
  readonly relations: readonly Relation[]
  readonly referredBy: readonly Reference[]
  readonly indexes: readonly { readonly fields: readonly string[]; readonly unique: boolean }[]
}

export interface Connector {
  readonly name: string
  readonly vendor: string
  readonly default: boolean
  readonly entityCount: number
  readonly connection: { readonly driver: string; readonly target: string; readonly version: string | null }
}

export interface Health {
  readonly name: string
  readonly connected: boolean
  /** Epoch ms. */
  readonly connectedSince: number | null
  readonly reconnectCount: number
  readonly errorCount: number
  readonly lastError: string | null
  readonly pingMs: number | null
  /** Milliseconds, of the last operations. */
  readonly latency: { readonly min: number; readonly avg: number; readonly max: number; readonly samples: number }
  readonly pool: { readonly size: number; readonly idle: number; readonly waiting: number } | null
}

export interface ConnectorFlow {
  readonly connector: string
  readonly total: number
  readonly slowTotal: number
  readonly slow: readonly {
    readonly entity: string
    readonly operation: string
    readonly ms: number
    readonly ts: number
  }[]
}

export interface Flow {
  readonly enabled: boolean
  readonly slowMs: number
  readonly connectors: readonly ConnectorFlow[]
}

export interface Schema {
  readonly connector: string
  readonly state: 'known' | 'none' | 'unreachable' | 'unknown'
  readonly migrations: readonly { readonly name: string; readonly executedAt: number | null }[]
  readonly unwritten: readonly string[]
  readonly problems: readonly {
    readonly code: string
    readonly message: string
    readonly at?: string
    readonly fix?: string
  }[]
}

export interface Row {
  readonly values: Readonly<Record<string, unknown>>
  readonly cut: readonly string[]
}

export interface RowsPage {
  readonly fields: readonly string[]
  readonly masked: readonly string[]
  readonly items: readonly Row[]
  readonly next: string | null
}

/** What the rows are asked for; both as the API takes them. */
export interface RowsQuestion {
  readonly where: string | null
  readonly order: string | null
}

const API = '/svc/orm/api'
const PAGE = 100

export const readGraph = () => call<{ orms: Connector[]; entities: Entity[] }>('GET', `${API}/graph`)
export const readCounts = (connector?: string) =>
  call<Record<string, number | null>>('GET', withQuery(`${API}/counts`, { connector }))
export const readHealth = () => call<Health[]>('GET', `${API}/connection/health`)
export const readFlow = () => call<Flow>('GET', `${API}/flow`)
export const readSchema = () => call<Schema[]>('GET', `${API}/schema`)
export const readExport = async (format: 'dbml' | 'jsonschema') =>
  (await call<{ content: string }>('GET', `${API}/export/${format}`)).content

export const readEntity = (connector: string, name: string) =>
  call<Entity>('GET', withQuery(`${API}/entity/${encodeURIComponent(name)}`, { connector }))

export async function readRows(
  { connector, name }: Pick<Entity, 'connector' | 'name'>,
  question: RowsQuestion,
  cursor: string | null
): Promise<ListPage<Row> & Pick<RowsPage, 'fields' | 'masked'>> {
  const query = { connector, limit: PAGE, after: cursor, ...question }
  const path = withQuery(`${API}/entities/${encodeURIComponent(name)}/rows`, query)
  const { items, ...page } = await call<RowsPage>('GET', path)
  return { rows: items, ...page }
}
