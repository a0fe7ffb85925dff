/**
 * Statements as drivers publish them. Most observers want each statement; one that only wants the slow ones says from how
 * many milliseconds on, so that the others cost two readings of the clock and no message.
 */
import { requestChannels, type Statement } from './request-channels.ts'
import { typedChannel } from './typed-channel.ts'

/** What a driver knows of a statement before it runs. */
export type StatementFacts = Omit<Statement, 'durationMs' | 'failed' | 'rows'>

const each = requestChannels.statement

const slow = typedChannel<Statement>('svc.request.slow-statement')

/** The limits of those who hear slow statements. */
const limits = new Set<{ readonly fromMs: number }>()

/** The lowest limit. */
let fromMs = Number.POSITIVE_INFINITY

/** Asked before a statement is published. */
export function statementsAreHeard(): boolean {
  return limits.size > 0 || each.hasSubscribers
}

/** Calls `listener` for statements that take this long, in milliseconds. @returns unsubscribe */
export function hearSlowStatements(limitMs: number, listener: (statement: Statement) => void): () => void {
  const limit = { fromMs: limitMs }
  const end = slow.subscribe((statement) => {
    if (statement.durationMs >= limitMs) listener(statement)
  })
  limits.add(limit)
  fromMs = lowest()
  return () => {
    end()
    limits.delete(limit)
    fromMs = lowest()
  }
}

/** Whether a statement that took this long, in milliseconds, is heard. Asked before its facts are gathered. */
export function isStatementHeard(durationMs: number): boolean {
  return durationMs >= fromMs || each.hasSubscribers
}

/** Publishes a statement that is over, and was found to be heard. */
export function publishOver(statement: Statement): void {
  each.publish(statement)
  if (statement.durationMs >= fromMs) slow.publish(statement)
}

/**
 * Runs a statement, and publishes it when it is over. For drivers that found `statementsAreHeard`.
 *
 * @param facts a function is called only if somebody hears the statement
 * @param rowsOf how many rows the result has, or changed; absent where the driver does not know
 */
export function publishStatement<T>(
  facts: StatementFacts | (() => StatementFacts),
  work: () => Promise<T>,
  rowsOf?: (result: T) => number | undefined
): Promise<T> {
  const start = performance.now()
  const running = work()
  const over = (failed: boolean, rows: number | undefined) => {
    const durationMs = performance.now() - start
    if (!isStatementHeard(durationMs)) return
    const known = typeof facts === 'function' ? facts() : facts
    publishOver({ ...known, durationMs, failed, ...(rows !== undefined && { rows }) })
  }
  // Beside the caller, who waits for the work alone.
  running.then(
    (result) => over(false, rowsOf?.(result)),
    () => over(true, undefined)
  )
  return running
}

function lowest(): number {
  return Math.min(...[...limits].map((limit) => limit.fromMs))
}
