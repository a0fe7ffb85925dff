/**
 * Jobs that anyone can provoke in any number, such as those of refused requests: how many are in a queue, by the source
 * that provoked them. In a full queue they give way to all others beyond half of it, and the source with most to any other.
 */
import type { Job } from '../job.ts'

type Provoked = Pick<Job, 'source'>

export class Sources {
  readonly #bySource = new Map<string, number>()
  size = 0

  entered({ source }: Provoked): void {
    if (source === null) return
    this.size += 1
    this.#bySource.set(source, this.#of(source) + 1)
  }

  left({ source }: Provoked): void {
    if (source === null) return
    this.size -= 1
    const rest = this.#of(source) - 1
    if (rest > 0) this.#bySource.set(source, rest)
    else this.#bySource.delete(source)
  }

  /**
   * Whose job makes room for this one in a full lane.
   *
   * @param half of the lane @returns `null`: none of these, `'itself'`: there is no room for it
   */
  givesWay({ source }: Provoked, half: number): { readonly source: string } | 'itself' | null {
    if (this.size === 0 || (source === null && this.size <= half)) return null
    const [most, largest] = this.#largest()
    if (source === null || largest > this.#of(source) + 1) return { source: most }
    return this.size >= half ? 'itself' : null
  }

  #of(source: string): number {
    return this.#bySource.get(source) ?? 0
  }

  #largest(): readonly [source: string, count: number] {
    let largest: readonly [string, number] = ['', 0]
    for (const entry of this.#bySource) if (entry[1] > largest[1]) largest = entry
    return largest
  }
}
