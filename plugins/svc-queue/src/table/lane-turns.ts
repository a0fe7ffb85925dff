/**
 * Which lanes a claim visits: the one whose job has waited longest, then the lanes after the last one that was visited.
 * The cost of a claim does not depend on how many jobs wait; only where jobs of several priorities do, each lane is asked
 * for the first of each.
 */
import { after, all } from 'svc-stores/table'
import type { DueFloor } from './due-floor.ts'
import { BY_DUE, NO_WORKER, type QueueRows, type Row } from './queue-rows.ts'

/** Lanes that one claim looks at; the next claim continues from there. */
const VISITED_AT_ONCE = 64

const BY_LANE = [{ field: 'endpointId', direction: 'ASC' }] as const
const BY_LANE_AND_DUE = [...BY_LANE, ...BY_DUE] as const
const BY_LANE_AND_PRIORITY = [...BY_LANE, { field: 'priority', direction: 'ASC' }, ...BY_DUE] as const

/** Takes jobs of a lane. @param heads the first due job of each of its priorities, by their turn @param limit at least 1 */
export type Visit = (heads: readonly Row[], limit: number) => Promise<readonly Row[]>

export class LaneTurns {
  readonly #rows: QueueRows
  readonly #floor: DueFloor
  /** The lane that was visited last. */
  #visited = ''
  /** The last claim found no other lane: a look for another job costs less than one for the next lane. */
  #isAlone = false

  constructor(rows: QueueRows, floor: DueFloor) {
    this.#rows = rows
    this.#floor = floor
  }

  async claim(limit: number, now: number, take: Visit): Promise<Row[]> {
    const claimed: Row[] = []
    const heads = await this.#heads()
    const isMixed = heads.length > 1
    const isDue = ({ dueAt }: Row) => dueAt <= now
    const visit = async (head: Row) => {
      const { endpointId } = head
      const first = isMixed ? await this.#rows.first({ holder: NO_WORKER, endpointId }, 1) : [head]
      const due = first.filter(isDue)
      if (due.length > 0) claimed.push(...(await take(due, limit - claimed.length)))
    }
    // The job that has waited longest comes first, so that no number of lanes before it delays it for ever.
    const first = heads.find(isDue)
    if (first === undefined) return []
    await visit(first)
    const visited = new Set([first.endpointId])
    if (this.#isAlone && claimed.length < limit && !(await this.#heads()).some(isDue)) return claimed
    // From the beginning, one turn sees all lanes.
    for (
      let wraps = this.#visited === '' ? 1 : 0;
      claimed.length < limit && visited.size < VISITED_AT_ONCE && wraps < 2;
    ) {
      const next = await this.#laneAfter(this.#visited)
      this.#visited = next?.endpointId ?? ''
      if (next === undefined) wraps += 1
      else if (next.endpointId !== first.endpointId) {
        if (visited.has(next.endpointId)) break
        visited.add(next.endpointId)
        await visit(next)
      }
    }
    this.#isAlone = visited.size === 1
    return claimed
  }

  /** The first job of each priority, of whichever lane. */
  async #heads(): Promise<readonly Row[]> {
    const heads = await this.#rows.first(this.#floor.above({ holder: NO_WORKER }), 1, BY_DUE)
    this.#floor.found(heads)
    return heads
  }

  async #laneAfter(endpointId: string): Promise<Row | undefined> {
    const { table, hasPriorities } = this.#rows
    const [row] = await table.find(all({ holder: NO_WORKER }, after<Row>(BY_LANE, { endpointId } as Row)), {
      order: hasPriorities ? BY_LANE_AND_PRIORITY : BY_LANE_AND_DUE,
      limit: 1,
      without: ['event']
    })
    return row
  }
}
