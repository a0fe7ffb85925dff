/** A database of PostgreSQL whose owner is a role that policies hold. */
import pg from 'pg'
import type { PostgresServer } from './postgres-server.ts'

export interface FencedDatabase {
  /** Of the role. */
  readonly url: string
  /** As the superuser, whom nothing holds. */
  asSuperuser<Row extends pg.QueryResultRow>(text: string): Promise<Row[]>
}

let roles = 0

export async function fencedDatabase(server: PostgresServer): Promise<FencedDatabase> {
  const superuser = await server.createDatabase()
  roles += 1
  const role = `app_${process.pid}_${roles}`
  const asSuperuser = async <Row extends pg.QueryResultRow>(text: string): Promise<Row[]> => {
    const client = new pg.Client(superuser)
    await client.connect()
    try {
      return (await client.query<Row>(text)).rows
    } finally {
      await client.end()
    }
  }
  await asSuperuser(`create role ${role} login nosuperuser nobypassrls`)
  await asSuperuser(`grant all on schema public to ${role}`)
  const url = new URL(superuser)
  url.username = role
  return { url: String(url), asSuperuser }
}
