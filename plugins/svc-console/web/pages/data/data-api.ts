/** The admin plane of svc-orm. */
import type { Counts, Entity, Export, Flow, Graph, Health, Rows, SchemaStates } from 'svc-orm/wire'
import { call, withQuery } from '../../app/api.ts'
import type { ListPage } from '../../app/list.ts'

export type { Entity, Flow }
export type Connector = Graph['orms'][number]
export type ConnectorFlow = Flow['connectors'][number]
export type ConnectorHealth = Health[number]
export type Column = Entity['columns'][number]
export type Schema = SchemaStates[number]
export type RowsPage = Rows
export type Row = Rows['items'][number]

/** What the rows are asked for; both as the API takes them. */
export interface RowsQuestion {
  readonly where: string | null
  readonly order: string | null
}

const API = '/svc/orm/api'
const PAGE = 100

export const readGraph = () => call<Graph>('GET', `${API}/graph`)
export const readCounts = (connector?: string) => call<Counts>('GET', withQuery(`${API}/counts`, { connector }))
export const readHealth = () => call<Health>('GET', `${API}/connection/health`)
export const readFlow = () => call<Flow>('GET', `${API}/flow`)
export const readSchema = () => call<SchemaStates>('GET', `${API}/schema`)
export const readExport = async (format: 'dbml' | 'jsonschema') =>
  (await call<Export>('GET', `${API}/export/${format}`)).content

export const readEntity = (connector: string, name: string) =>
  call<Entity>('GET', withQuery(`${API}/entity/${encodeURIComponent(name)}`, { connector }))

export async function readRows(
  { connector, name }: Pick<Entity, 'connector' | 'name'>,
  question: RowsQuestion,
  cursor: string | null
): Promise<ListPage<Row> & Pick<Rows, 'fields' | 'masked'>> {
  const query = { connector, limit: PAGE, after: cursor, ...question }
  const path = withQuery(`${API}/entities/${encodeURIComponent(name)}/rows`, query)
  const { items, ...page } = await call<Rows>('GET', path)
  return { rows: items, ...page }
}
