/** What `svc orm:reset` reads of svc-orm: `fastify.orm`, the databases behind it and what each keeps. */
import type { FastifyInstance } from 'fastify'

export interface DatabaseView {
  readonly name: string
  readonly vendor: string
  readonly connection: { readonly target: string }
  readonly connected: boolean
  /** Absent where the driver cannot, or keeps nothing. */
  reset?(): Promise<readonly string[]>
}

export interface DatabasesView {
  connectors(): readonly DatabaseView[]
  entities(connector?: string): ReadonlyArray<{ readonly name: string }>
}

export function databasesOf(fastify: FastifyInstance): DatabasesView | null {
  if (!fastify.hasDecorator('orm')) return null
  return (fastify as unknown as { orm: DatabasesView }).orm
}
