/**
 * Slow statements in the log: a line for the first of each shape, then at most one a minute, with how many there were and
 * the slowest. A shape is the text without values, so a line never has one.
 */
import type { FastifyBaseLogger } from 'fastify'
import type { Clock, Statement } from 'svc-kernel'

const MINUTE_MS = 60_000

/** Shapes that are told apart at a time: text by hand may differ each time. */
const MOST_SHAPES = 100

/** What came since the last line of its shape. */
interface Shape {
  count: number
  slowest: Statement | null
  /** Epoch ms of the last line. */
  toldAt: number
  readonly entity: string | null
}

export class SlowStatementLog {
  readonly #log: FastifyBaseLogger
  readonly #clock: Clock
  readonly #shapes = new Map<string, Shape>()
  #others = 0
  #timer: unknown = null

  constructor(log: FastifyBaseLogger, clock: Clock) {
    this.#log = log
    this.#clock = clock
  }

  /** @param entity `null` for a table of no entity */
  add(statement: Statement, entity: string | null): void {
    const { connector, kind, table, text } = statement
    const key = `${connector} ${text ?? `${kind} ${table}`}`
    const known = this.#shapes.get(key)
    if (known !== undefined) {
      known.count += 1
      if (known.slowest === null || statement.durationMs > known.slowest.durationMs) known.slowest = statement
    } else if (this.#shapes.size === MOST_SHAPES) {
      this.#others += 1
    } else {
      this.#shapes.set(key, { count: 0, slowest: null, toldAt: this.#clock.now(), entity })
      this.#tell(statement, entity, 1)
      this.#timer ??= this.#clock.setTimeout(() => this.#nextMinute(), MINUTE_MS)
    }
  }

  /** Writes what was counted since the last lines. */
  close(): void {
    this.#clock.clearTimeout(this.#timer)
    for (const shape of this.#shapes.values()) this.#tellCounted(shape)
    this.#shapes.clear()
  }

  #nextMinute(): void {
    for (const [key, shape] of this.#shapes) {
      if (this.#clock.now() - shape.toldAt < MINUTE_MS) continue
      if (shape.count === 0) this.#shapes.delete(key)
      else this.#tellCounted(shape)
    }
    if (this.#others > 0) {
      const fields = { code: 'SVC_ORM_SLOW_STATEMENT', count: this.#others }
      this.#log.warn(fields, `${this.#others} slow statements of other shapes were not told apart`)
      this.#others = 0
    }
    const goesOn = this.#shapes.size > 0
    this.#timer = goesOn ? this.#clock.setTimeout(() => this.#nextMinute(), MINUTE_MS) : null
  }

  #tellCounted(shape: Shape): void {
    const { slowest, entity, count } = shape
    if (slowest === null) return
    this.#tell(slowest, entity, count)
    shape.count = 0
    shape.slowest = null
    shape.toldAt = this.#clock.now()
  }

  #tell({ connector, kind, table, text, durationMs, rows, failed }: Statement, entity: string | null, count: number) {
    const ms = Math.round(durationMs)
    const on = entity ?? table ?? connector
    const fields = {
      code: 'SVC_ORM_SLOW_STATEMENT',
      connector,
      ...(entity === null ? { table } : { entity }),
      statement: text ?? `${kind} ${table}`,
      ms,
      ...(rows !== undefined && { rows }),
      ...(failed && { failed }),
      count
    }
    const message =
      count === 1
        ? `a statement on ${on} took ${ms} ms`
        : `${count} statements on ${on} of one shape were slow; the slowest took ${ms} ms`
    this.#log.warn(fields, message)
  }
}
