/** Statements of a table whose reads may be old: a replica answers them, writes go to the primary. */
import type { ReplicaSet } from '../connection/replica-set.ts'
import type { StatementRunner } from './sql-transaction.ts'

export function replicaRunner(replicas: ReplicaSet, primary: StatementRunner): StatementRunner {
  return {
    hasSnapshot: false,
    isFenced: false,
    read: (query) => replicas.read(query, () => primary.read(query)),
    write: (query) => primary.write(query),
    together: (work) => primary.together(work)
  }
}
