/** What a command is given, and what it answers. */

import type { Catalog } from '../storage/catalog.ts'
import type { SessionRegistry } from '../transactions/session-registry.ts'
import type { Transaction } from '../transactions/transactions.ts'
import type { Arguments } from './arguments.ts'
import type { CursorRegistry } from './cursor-registry.ts'

/** How the engine presents itself: as the one member of a replica set, or as a server without transactions. */
export type EngineMode = 'replicaSet' | 'standalone'

/** What all commands share. */
export interface Engine {
  readonly catalog: Catalog
  readonly cursors: CursorRegistry
  readonly sessions: SessionRegistry
  readonly mode: EngineMode
  readonly now: () => Date
  /** `127.0.0.1:27017`, once it listens. */
  readonly address: () => string
  readonly startedAt: Date
}

export interface CommandContext {
  readonly engine: Engine
  readonly database: string
  readonly connection: number
  /** The transaction the command is part of. */
  readonly transaction: Transaction | null
  /** Runs a write, again each time the transaction that blocked it has ended. */
  readonly settled: <Result>(attempt: () => Result) => Promise<Result>
}

/** The fields of an answer; `ok: 1` is added. */
export type Reply = Record<string, unknown>

export interface Command {
  readonly run: (args: Arguments, context: CommandContext) => Reply | Promise<Reply>
  /** Whether MongoDB allows it inside a transaction. */
  readonly inTransaction: boolean
}
