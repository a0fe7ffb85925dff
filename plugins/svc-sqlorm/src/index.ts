/** svc-sqlorm */
export type { SqlConnection } from './connection/sql-connection.ts'
export type { SqlEngine } from './engines/sql-engine.ts'
export type { ColumnDefinition, ColumnType, TableDefinition, TableIndex } from './schema/table-definition.ts'
