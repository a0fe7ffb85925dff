/** What was measured of one application in one column, and what is made of it: the least counts, as load only adds. */

export interface Sample {
  readonly value: number
  /** Share of the machine that others used meanwhile; `null` where the system does not tell. */
  readonly foreign: number | null
}

export interface Column {
  readonly name: string
  readonly unit: 'us' | 'ms' | 'MB'
}

/** A case of requests is measured in microseconds of server CPU per request. */
export const START_COLUMNS: readonly Column[] = [
  { name: 'cold start', unit: 'ms' },
  { name: 'cold start, CPU', unit: 'ms' },
  { name: 'RSS at start', unit: 'MB' },
  { name: 'RSS after load', unit: 'MB' }
]

export class Samples {
  readonly #taken = new Map<string, Sample[]>()

  add(server: string, column: string, sample: Sample): void {
    const key = `${server}\n${column}`
    this.#taken.set(key, [...(this.#taken.get(key) ?? []), sample])
  }

  /** In ascending order. */
  values(server: string, column: string): number[] {
    return this.#of(server, column)
      .map(({ value }) => value)
      .sort((a, b) => a - b)
  }

  least(server: string, column: string): number {
    return this.values(server, column)[0] ?? Number.NaN
  }

  /** Median and greatest share of foreign load over all samples of the application. */
  foreign(server: string): { readonly median: number; readonly most: number } | null {
    const shares = [...this.#taken]
      .filter(([key]) => key.startsWith(`${server}\n`))
      .flatMap(([, samples]) => samples.flatMap(({ foreign }) => (foreign === null ? [] : [foreign])))
      .sort((a, b) => a - b)
    if (shares.length === 0) return null
    return { median: shares[Math.floor(shares.length / 2)] as number, most: shares.at(-1) as number }
  }

  #of(server: string, column: string): readonly Sample[] {
    return this.#taken.get(`${server}\n${column}`) ?? []
  }
}

const QUIET = 0.1
const ATTEMPTS = 3

/** Measures again while others use more than a tenth of the machine, three times at most; the quietest counts. */
export async function quietest<Measured extends Pick<Sample, 'foreign'>>(
  measure: () => Promise<Measured>
): Promise<Measured> {
  let best = await measure()
  for (let attempt = 1; attempt < ATTEMPTS && (best.foreign ?? 0) > QUIET; attempt += 1) {
    const next = await measure()
    if ((next.foreign ?? 0) < (best.foreign ?? 0)) best = next
  }
  return best
}
