/** Statements of a table whose reads may be old: a replica answers them, writes go to the primary. */
import type { CompiledQuery } from 'kysely'
import type { ReplicaSet } from '../connection/replica-set.ts'
import type { StatementRunner } from './sql-transaction.ts'

/** @param setting what says to a read what its caller may see; `null` where nothing is fenced */
export function replicaRunner(
  replicas: ReplicaSet,
  primary: StatementRunner,
  setting: () => CompiledQuery | null
): StatementRunner {
  return {
    ...primary,
    read: (query) => replicas.read(query, setting(), () => primary.read(query))
  }
}
