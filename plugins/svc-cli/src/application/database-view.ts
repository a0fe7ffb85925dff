/** What the commands `orm:` read of svc-orm: `fastify.orm`, the databases behind it, what each keeps, its migrations. */
import type { FastifyInstance } from 'fastify'
import type { Problem } from 'svc-kernel'

export interface DatabaseView {
  readonly name: string
  readonly vendor: string
  readonly connection: { readonly target: string }
  readonly connected: boolean
  /** The time of its server, epoch ms; absent where the driver does not know it. */
  now?(): Promise<number>
  /** Absent where the driver cannot, or keeps nothing. */
  reset?(): Promise<readonly string[]>
}

export interface DatabasesView {
  connectors(): readonly DatabaseView[]
  entities(connector?: string): ReadonlyArray<{ readonly name: string }>
  /** By entity and field. */
  seal(): Promise<
    ReadonlyArray<{
      readonly entity: string
      readonly field: string
      readonly sealed: number
      readonly unreadable: number
      readonly duplicates: number
    }>
  >
  readonly migrations: MigrationsView
  readonly seeds: SeedsView
  checkReferences(connector?: string): Promise<readonly ReferenceView[]>
  repairReferences(connector?: string): Promise<readonly ReferenceView[]>
  checkTrees(connector?: string): Promise<readonly TreeView[]>
  repairTrees(connector?: string): Promise<readonly TreeView[]>
}

/** An entity with a tree, and its rows that are above themselves. */
export interface TreeView {
  readonly connector: string
  readonly entity: string
  readonly field: string
  readonly circling: number
  readonly circles: number
  /** The first row of each circle. */
  readonly first: readonly string[]
  readonly repair: 'setNull' | null
}

/** A relation, and the rows that name a row which is gone. */
export interface ReferenceView {
  readonly connector: string
  readonly entity: string
  readonly relation: string
  readonly field: string
  readonly target: string
  readonly onDelete: string
  readonly dangling: number
  readonly first: readonly string[]
  readonly repair: 'setNull' | 'delete'
  /** Rows that name a row of another scope. */
  readonly crossing: {
    readonly rows: number
    readonly first: readonly string[]
    readonly repair: 'setNull' | null
  }
}

export interface SeedsView {
  /** Before the application is ready. */
  prepare(): Promise<void>
  run(options: { readonly connector?: string; readonly names?: readonly string[]; readonly again?: boolean }): Promise<
    ReadonlyArray<{
      readonly connector: string
      readonly names: readonly string[]
      readonly passed: readonly string[]
    }>
  >
}

/** What a way back deletes. */
export interface LossView {
  /** `2 rows of Article` */
  readonly text: string
}

interface RunOptions {
  readonly connector?: string
  readonly preview?: (statement: string) => void
  readonly progress?: (text: string) => void
  readonly losing?: (loss: LossView) => void
}

export interface WriteOptions {
  readonly connector?: string
  readonly dryRun?: boolean
}

export interface WrittenView {
  readonly source: string
  readonly steps: readonly string[]
  readonly files: readonly string[]
  readonly baseline: { readonly source: string } | null
  readonly warnings: readonly Problem[]
}

type Ran = ReadonlyArray<{ readonly connector: string; readonly names: readonly string[] }>

export interface StatusView {
  readonly connector: string
  readonly vendor: string
  readonly migrations: ReadonlyArray<{ readonly name: string; readonly executedAt: Date | null }>
  readonly unwritten: readonly string[]
  readonly problems: readonly Problem[]
}

export interface MigrationsView {
  /** Before the application is ready. */
  hold(): void
  diff(name: string, options: WriteOptions): Promise<WrittenView | null>
  baseline(options: WriteOptions): Promise<WrittenView | null>
  migrate(options: RunOptions): Promise<Ran>
  rollback(
    steps: number,
    options: RunOptions & { readonly confirm?: (losses: readonly LossView[]) => Promise<boolean> }
  ): Promise<Ran>
  status(connector?: string): Promise<readonly StatusView[]>
}

export function databasesOf(fastify: FastifyInstance): DatabasesView | null {
  if (!fastify.hasDecorator('orm')) return null
  return (fastify as unknown as { orm: DatabasesView }).orm
}
