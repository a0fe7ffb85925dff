/** `fastify.jobs.lanes`: lists lanes, and pauses them over all instances. */
import { type LaneRate, LanesUnsupported } from 'svc-queue'
import type { LaneControl } from 'svc-queue/driver'
import { checkInteger } from 'svc-stores/plugin'
import { compareHeld } from 'svc-stores/table'
import { isLaneName } from '../definitions/lane-name.ts'
import { MAINTENANCE_LANE } from '../definitions/system-jobs.ts'
import { InvalidLane } from '../errors.ts'
import type { LaneLimits } from './lane-limits.ts'

/** A lane as it is. */
export interface Lane {
  readonly lane: string
  /** No instance begins a job of it until it is resumed. */
  readonly paused: boolean
  /** Jobs that are due, or will be. */
  readonly waiting: number
  readonly running: number
  /** Age of the job that was added first of those that are due and wait, ms; `null` without one. */
  readonly oldestMs: number | null
  /** Limits of this instance; `null` where it has none. */
  readonly concurrent: number | null
  readonly rate: LaneRate | null
}

/** Which lanes `list` answers. */
export interface LaneQuery {
  /** 1 to 1000; default 100. */
  readonly limit?: number | undefined
  /** `next` of the page before. */
  readonly after?: string | undefined
  /** `true`: the lane of maintenance tasks too. Default `false`. */
  readonly system?: boolean | undefined
}

/** A page of lanes. `next`: where the following page begins; `null` on the last one. */
export interface LanePage {
  readonly items: readonly Lane[]
  readonly next: string | null
}

export interface LanesParts {
  /** Absent: the store keeps nothing of lanes. */
  readonly control: LaneControl | undefined
  readonly limits: LaneLimits
  /** A lane was resumed: the worker of this process looks for its jobs. */
  readonly resumed: () => void
}

/** `fastify.jobs.lanes`. */
export class Lanes {
  readonly #parts: LanesParts

  constructor(parts: LanesParts) {
    this.#parts = parts
  }

  /** Lanes that have jobs, are paused, or are named in the options, by name. @throws InvalidPage (400), LanesUnsupported */
  async list({ limit = 100, after = '', system = false }: LaneQuery = {}): Promise<LanePage> {
    checkInteger('limit', limit, 1, 1000)
    const { limits } = this.#parts
    const isListed = (name: string) => system || name !== MAINTENANCE_LANE
    // One more tells that a page follows; one may be left out.
    const states = (await this.#control.list({ limit: limit + 2, after })).filter(({ lane }) => isListed(lane))
    const there = new Map(states.map((state) => [state.lane, state]))
    const quiet = limits.names.filter((name) => compareHeld(name, after) > 0 && !there.has(name))
    const found = [...there.keys(), ...quiet].filter(isListed).sort(compareHeld)
    const items = found.slice(0, limit).map((lane): Lane => {
      const { paused = false, waiting = 0, held: running = 0, oldestMs = null } = there.get(lane) ?? {}
      const { concurrent = null, rate = null } = limits.of(lane) ?? {}
      return { lane, paused, waiting, running, oldestMs, concurrent, rate }
    })
    return { items, next: found.length > limit ? (items.at(-1)?.lane ?? null) : null }
  }

  /**
   * Begins no further job of a lane, on any instance, within a second; what runs goes on. The lane may have no jobs yet.
   *
   * @throws InvalidLane (400), LanesUnsupported
   */
  async pause(lane: string): Promise<void> {
    await this.#control.pause(named(lane))
  }

  /** Also of a lane that is not paused. @throws InvalidLane (400), LanesUnsupported */
  async resume(lane: string): Promise<void> {
    await this.#control.resume(named(lane))
    this.#parts.resumed()
  }

  get #control(): LaneControl {
    const { control } = this.#parts
    if (control === undefined) throw new LanesUnsupported()
    return control
  }
}

function named(lane: unknown): string {
  if (!isLaneName(lane)) throw new InvalidLane()
  return lane
}
