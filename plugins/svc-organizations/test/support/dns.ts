/** DNS as a test sets it: records by name, or a failure. */
import type { TxtResolver } from '../../src/index.ts'

export class Dns {
  readonly records = new Map<string, string[][]>()
  failure: string | null = null

  readonly resolve: TxtResolver = async (name) => {
    const found = this.failure === null ? this.records.get(name) : undefined
    if (found !== undefined) return found
    throw Object.assign(new Error('no answer'), { code: this.failure ?? 'ENOTFOUND' })
  }
}
