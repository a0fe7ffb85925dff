/**
 * The rows behind locks: who holds which name. A holder counts its heartbeats in its row; one row more counts what was
 * taken, over all names. Every call is a single step, so that of callers at once one wins.
 */
import type { Clock } from 'svc-kernel'
import { type Database, not, type Table, type TablePlan } from 'svc-stores/table'

export interface LockRow {
  /** The name of the lock. */
  readonly id: string
  /** Of this taking: a later holder of the name has another one. */
  readonly token: string
  /** Heartbeats of the holder, counted up. */
  readonly beat: number
  /** `null` until the taking is confirmed. */
  readonly fence: number | null
  /** How long the lock outlives its last heartbeat, in milliseconds. */
  readonly leaseMs: number
  /** The instance, for people. */
  readonly holder: string
  /** Epoch ms by the clock of the holder, for people: never compared. */
  readonly since: number
}

export const lockPlan: TablePlan = {
  name: 'svc_lock',
  record: 'lock',
  columns: [
    { name: 'id', type: 'text' },
    { name: 'token', type: 'text' },
    { name: 'beat', type: 'integer' },
    { name: 'fence', type: 'integer', nullable: true },
    { name: 'leaseMs', type: 'integer' },
    { name: 'holder', type: 'text' },
    { name: 'since', type: 'time' }
  ]
}

/** The id of the row that counts; no lock has an empty name. */
const COUNTER = ''

type LockDatabase = Pick<Database, 'table' | 'ensureTable'>

export class LockTable {
  readonly #database: LockDatabase
  readonly #clock: Pick<Clock, 'now'>
  #table: Promise<Table<LockRow>> | null = null

  constructor(database: LockDatabase, clock: Pick<Clock, 'now'>) {
    this.#database = database
    this.#clock = clock
  }

  async read(name: string): Promise<LockRow | null> {
    return (await this.#rows()).findOne({ id: name })
  }

  /** @returns whether it is in place: nobody else held the name */
  async insert(row: LockRow): Promise<boolean> {
    return (await (await this.#rows()).insertNew([row])) === 1
  }

  /** @param seen as it was read @returns whether the row took its place: its holder did nothing since */
  async replace(seen: LockRow, { id, ...values }: LockRow): Promise<boolean> {
    const { token, beat } = seen
    return (await (await this.#rows()).update({ id, token, beat }, { set: values })) === 1
  }

  /**
   * Gives a taking its number, which is drawn after the name was taken: so a later holder has a greater one.
   *
   * @returns `null` if another instance has the name by now
   */
  async number({ id, token }: LockRow): Promise<number | null> {
    const fence = await this.#draw()
    return (await (await this.#rows()).update({ id, token }, { set: { fence } })) === 1 ? fence : null
  }

  /** @returns `false` if another instance has the name, or the row was deleted */
  async beat({ id, token }: LockRow): Promise<boolean> {
    return (await (await this.#rows()).update({ id, token }, { add: { beat: 1 } })) === 1
  }

  /** Removes this taking, and no other. */
  async remove({ id, token }: LockRow): Promise<void> {
    await (await this.#rows()).delete({ id, token })
  }

  /** By name, at most so many. */
  async list(limit: number): Promise<readonly LockRow[]> {
    return (await this.#rows()).find({ id: not(COUNTER) }, { limit })
  }

  async #draw(): Promise<number> {
    const rows = await this.#rows()
    const next = () => rows.updateOne({ id: COUNTER }, { add: { fence: 1 } })
    let counted = await next()
    if (counted === null) {
      // A row that somebody deleted has counted to less: it began earlier, and no instance takes a lock each millisecond.
      const fence = this.#clock.now()
      await this.insert({ id: COUNTER, token: '', beat: 0, fence, leaseMs: 0, holder: '', since: fence })
      counted = await next()
    }
    return counted?.fence as number
  }

  /** The table is made with the first lock, so that who takes none has none. */
  #rows(): Promise<Table<LockRow>> {
    this.#table ??= this.#ensure().catch((error: unknown) => {
      this.#table = null
      throw error
    })
    return this.#table
  }

  async #ensure(): Promise<Table<LockRow>> {
    return this.#database.ensureTable?.<LockRow>(lockPlan) ?? this.#database.table<LockRow>(lockPlan)
  }
}
