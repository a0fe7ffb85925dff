/** The limits of lanes, as options have them: by name, or by the beginning of names. A name goes before a beginning, a longer beginning before a shorter one. */
import type { LaneRate, SharedLaneLimits } from 'svc-queue'
import type { JobsConfig } from '../options.ts'

export class LaneLimits {
  /** What a lane is limited to; `undefined`: no lane is limited. */
  readonly all: ((lane: string) => SharedLaneLimits | undefined) | undefined
  /** Lanes that options name. */
  readonly names: readonly string[]
  readonly #exact: ReadonlyMap<string, SharedLaneLimits>
  /** The longest first. */
  readonly #beginnings: readonly (readonly [beginning: string, limits: SharedLaneLimits])[]

  constructor(lanes: JobsConfig['lanes']) {
    const limits = Object.entries(lanes).map(([name, { concurrent, rate }]) => {
      return [name, { concurrent, rate: rate && wholeRate(rate) }] as const
    })
    this.#exact = new Map(limits.filter(([name]) => !name.endsWith('*')))
    this.#beginnings = limits
      .filter(([name]) => name.endsWith('*'))
      .map(([name, of]) => [name.slice(0, -1), of] as const)
      .sort(([a], [b]) => b.length - a.length)
    this.names = [...this.#exact.keys()]
    this.all = limits.length === 0 ? undefined : (lane) => this.of(lane)
  }

  of(lane: string): SharedLaneLimits | undefined {
    return this.#exact.get(lane) ?? this.#beginnings.find(([beginning]) => lane.startsWith(beginning))?.[1]
  }
}

function wholeRate({ max, perS, burst = max }: { max: number; perS: number; burst?: number | undefined }): LaneRate {
  return { max, perS, burst }
}
