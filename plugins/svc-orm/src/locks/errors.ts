/** The errors of locks. A published code never changes. */
import { createError } from '@fastify/error'

const HeldElsewhere = createError<[name: string, holder: string, since: string]>(
  'SVC_ORM_LOCKED',
  'the lock "%s" is held by %s since %s',
  409
)

/**
 * 409: another caller holds the lock (`Locked`): `holder` is its instance as `host:pid`, `since` a date. Fix: try again
 * later, or wait with `waitMs`.
 */
export class Locked extends HeldElsewhere {
  /** The instance that holds it, `host:pid`. */
  readonly holder: string
  /** By the clock of that instance. */
  readonly since: Date

  constructor(name: string, holder: string, since: Date) {
    super(name, holder, since.toISOString())
    this.name = 'Locked'
    this.holder = holder
    this.since = since
  }
}

/**
 * 503: a lock was lost while its work ran: its heartbeats did not reach the database, or its row was deleted; also the
 * reason of an aborted signal. Fix: run the work again; write with its `fence`, see docs/guides/locks.md.
 */
export const LockLost = createError<[name: string, reason: string]>(
  'SVC_ORM_LOCK_LOST',
  'the lock "%s" was lost: %s',
  503
)

/**
 * thrown: code inside a transaction asked for a lock; it would be released before the commit. Fix: take the
 * lock first, and open the transaction in its work.
 */
export const LockInTransaction = createError<[name: string]>(
  'SVC_ORM_LOCK_TRANSACTION',
  'the lock "%s" cannot be taken inside a transaction: take it first, and open the transaction in its work',
  500,
  TypeError
)
